import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf } from '../test/setup/quick-tests.ts';

/*
 * `npm test` builds and runs what is quick, `npm run test:rest` everything else, `npm run test:all` both. Options of jest
 * that name tests (projects, paths, titles) run these instead: `npm test -- --testPathPatterns channels`.
 */
const root = join(import.meta.dirname, '..');
const [set, ...options] = process.argv.slice(2);

const namesTests = options.some((option) => !option.startsWith('-') || option.startsWith('--selectProjects'));
const files =
  namesTests || (set !== 'quick' && set !== 'rest')
    ? []
    : filesOf(set, globSync(['src/**/*.spec.ts', 'test/**/*.spec.ts'], { cwd: root }));

const run = (command: string, args: readonly string[]): void => {
  const env = { ...process.env, ...(set === 'quick' && files.length > 0 ? { TEST_SAMPLE: 'true' } : {}) };
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
};

run(process.execPath, ['scripts/build.ts']);
run('npm', [
  'run',
  '--silent',
  'jest',
  '--',
  ...options,
  ...(files.length > 0 ? ['--runTestsByPath', ...files] : []),
]);
