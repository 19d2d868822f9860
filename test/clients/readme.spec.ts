import { access, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTenant } from '../builders/identities.js';
import { testEnvironment } from '../setup/test-environment.js';
import { readPage, runShell, shellLinesOf } from '../support/processes/shell.js';

const root = join(import.meta.dirname, '../..');

/** The shell lines of a section. */
async function linesOf(title: string): Promise<string> {
  const readme = await readPage('README.md', testEnvironment().origin);
  return shellLinesOf(readme.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '');
}

describe('the first update in the README', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-readme-'));
    const { owner } = await createTenant();
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    await mkdir(join(folder, '.slipway'));
    await writeFile(join(folder, '.slipway/token'), `${owner.token}\n`);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('works when it is copied line by line', async () => {
    const lines = await linesOf('Your first update in five minutes');
    const { code, output } = await runShell(lines, folder);
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    const checksums = output.match(/\b[0-9a-f]{64}$/gm) ?? [];
    const ofHeader = /^x-checksum: ([0-9a-f]{64})/im.exec(output)?.[1];
    expect(checksums).toContain(ofHeader);
    expect(output).toContain('<h1>Hello again</h1>');
    await expect(access(join(folder, 'first-update'))).rejects.toThrow('ENOENT');
  });
});
