import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { testEnvironment } from '../setup/test-environment.js';
import { createTenant } from '../support/identities.js';

const root = join(import.meta.dirname, '../..');
const README_ORIGIN = 'http://localhost:3000';

/** The shell lines of a section, as a reader copies them. */
async function linesOf(title: string): Promise<string> {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const section = readme.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
  return [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, lines]) => lines).join('');
}

/** Runs lines as an interactive shell in a fresh checkout would, but stops at the first that fails. */
async function run(lines: string, folder: string): Promise<{ code: number | null; output: string }> {
  const shell = spawn('bash', ['-e', '-o', 'pipefail', '-c', lines], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      CAPAWESOME_TELEMETRY_DISABLED: '1',
      // Speeds the commands up, as in test/support/cli.ts.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/capawesome-cli'),
      HTTPS_PROXY: 'none',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(shell, 'exit') as Promise<[number | null]>;
  const [output, errors, [code]] = await Promise.all([text(shell.stdout), text(shell.stderr), exited]);
  return { code, output: output + errors };
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
    const { code, output } = await run(lines.replaceAll(README_ORIGIN, testEnvironment().origin), folder);
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    const checksums = output.match(/\b[0-9a-f]{64}$/gm) ?? [];
    const ofHeader = /^x-checksum: ([0-9a-f]{64})/im.exec(output)?.[1];
    expect(checksums).toContain(ofHeader);
    expect(output).toContain('<h1>Hello again</h1>');
    await expect(access(join(folder, 'first-update'))).rejects.toThrow('ENOENT');
  }, 180_000);
});
