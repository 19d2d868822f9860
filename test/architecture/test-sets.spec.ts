import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf, listed, partial, TURNS } from '../setup/test-sets.js';

const root = join(import.meta.dirname, '../..');
const inBrowser = globSync('console/test/*.spec.ts', { cwd: root });
const files = [
  ...globSync('{src,test,scripts,bench,migrations}/**/*.{spec,test}.ts', { cwd: root }),
  ...inBrowser,
];

/** What `npm run test:s3`, `npm run test:plugins` and `npm run test:console` run. */
const PREPARED = ['test/s3/', 'test/plugins/', 'console/test/'];

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

it('every spec file is run by npm test, by npm run test:rest or by npm run test:deep', () => {
  const run = new Set((['quick', 'rest', 'deep'] as const).flatMap((set) => filesOf(set, files, 0)));
  // `npm run test:console` runs all of its project.
  expect(files.filter((file) => !run.has(file) && !inBrowser.includes(file))).toEqual([]);
});

it('the files of the console are run by npm run test:deep where they do a part of what they can', () => {
  const ofConsole = (set: 'quick' | 'rest' | 'deep'): string[] =>
    filesOf(set, files, 0).filter((file) => inBrowser.includes(file));
  expect([ofConsole('quick'), ofConsole('rest')]).toEqual([[], []]);
  expect(ofConsole('deep').sort()).toEqual(partial.filter((file) => inBrowser.includes(file)).sort());
});

it('the longest files take turns, and each has one', () => {
  const parts = Array.from({ length: TURNS }, (_, turn) => filesOf('rest', files, turn * TURNS));
  const always = parts[0]!.filter((file) => parts.every((part) => part.includes(file)));
  const inTurns = parts.map((part) => part.filter((file) => !always.includes(file)));
  expect(new Set(inTurns.flat()).size).toBe(inTurns.flat().length);
  const lengths = inTurns.map(({ length }) => length);
  expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
  expect(Math.min(...lengths)).toBeGreaterThan(5);
  expect(filesOf('deep', files, 0)).toEqual(expect.arrayContaining(inTurns.flat()));
});

it('names the files that do a part of what they can', () => {
  const used = files.filter((file) =>
    /\b(depth\.(?!js\b)|isDeep\b|someOf\(|oneOf\(|describeInterruptions\b)/.test(
      readFileSync(join(root, file), 'utf8'),
    ),
  );
  expect(used.filter((file) => !file.endsWith('test-sets.spec.ts')).sort()).toEqual([...partial].sort());
});

it('lists only what there is', () => {
  expect(listed.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it('npm test starts no servers but the shared one, except where the list says why', () => {
  const starting = filesOf('quick', files, 0)
    .filter((file) => file.startsWith('test/') && !file.startsWith('test/architecture/'))
    .filter((file) =>
      /\b(OwnSite|startServer|startProgram|runProgram)\b/.test(readFileSync(join(root, file), 'utf8')),
    );
  expect(starting.sort()).toEqual([
    'test/e2e/live-updates/check-costs.spec.ts',
    'test/faults/killed-upload.spec.ts',
  ]);
});
