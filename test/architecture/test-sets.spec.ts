import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf, listed } from '../setup/quick-tests.js';

const root = join(import.meta.dirname, '../..');
const files = globSync(['{src,test,scripts,bench,migrations}/**/*.{spec,test}.ts'], { cwd: root });

/** What `npm run test:s3` and `npm run test:plugins` run. */
const PREPARED = ['test/s3/', 'test/plugins/'];

it('every spec file belongs to a project of jest', async () => {
  const { default: config } = (await import(join(root, 'jest.config.js'))) as {
    default: { projects: { displayName: string }[] };
  };
  const folders = config.projects.map(({ displayName }) =>
    displayName === 'unit' ? 'src/' : `test/${displayName}/`,
  );
  const isRun = (file: string): boolean =>
    [...PREPARED, ...folders].some((folder) => file.startsWith(folder));
  expect(files.filter((file) => !isRun(file))).toEqual([]);
});

it('every spec file is run by npm test or by npm run test:rest', () => {
  const run = new Set([...filesOf('quick', files), ...filesOf('rest', files)]);
  expect(files.filter((file) => !run.has(file))).toEqual([]);
});

it('lists only what there is', () => {
  expect(listed.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it('npm test starts no servers but the shared one, except where the list says why', () => {
  const starting = filesOf('quick', files)
    .filter((file) => file.startsWith('test/') && !file.startsWith('test/architecture/'))
    .filter((file) =>
      /\b(OwnSite|startServer|startProgram|runProgram)\b/.test(readFileSync(join(root, file), 'utf8')),
    );
  expect(starting.sort()).toEqual([
    'test/e2e/live-updates/check-costs.spec.ts',
    'test/faults/killed-upload.spec.ts',
  ]);
});
