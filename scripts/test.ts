import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/*
 * `npm test` builds and runs what is quick, `npm run test:rest` everything else, `npm run test:all` both. Options of jest
 * that name tests (projects, paths, titles) run these instead: `npm test -- --testPathPatterns channels`.
 */
const [set = 'all', ...options] = process.argv.slice(2);
const namesTests = options.some((option) => !option.startsWith('-') || option.startsWith('--selectProjects'));
const filter = set === 'all' || namesTests ? [] : ['--filter=./test/setup/test-filter.cjs'];
const env = filter.length === 0 ? process.env : { ...process.env, TEST_SET: set };

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, {
    cwd: join(import.meta.dirname, '..'),
    stdio: 'inherit',
    env,
  });
  if (status !== 0) process.exit(status ?? 1);
}

run(process.execPath, 'scripts/build.ts');
run('npm', 'run', '--silent', 'jest', '--', ...options, ...filter);
