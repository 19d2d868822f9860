import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTenant } from '../builders/identities.js';
import { testEnvironment } from '../setup/test-environment.js';
import { readPage, runShell, shellLinesOf } from '../support/processes/shell.js';
import { temporaryFolder } from '../support/processes/temporary-folders.js';

it('the examples in docs/api-conventions.md print what the page says', async () => {
  const [{ owner }, folder] = await Promise.all([createTenant(), temporaryFolder()]);
  await mkdir(join(folder, '.slipway'));
  await writeFile(join(folder, '.slipway/token'), owner.token);

  const lines = shellLinesOf(await readPage('docs/api-conventions.md', testEnvironment().origin));
  const expected = [...lines.matchAll(/ # (.+)$/gm)].map(([, printed]) => printed);
  expect(expected.length).toBeGreaterThan(30);

  const { code, output } = await runShell(lines, folder);
  expect({ code, printed: output.trimEnd().split(/ *\n/) }).toEqual({ code: 0, printed: expected });
});
