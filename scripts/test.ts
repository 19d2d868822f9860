import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { seedOption } from './seed-option.ts';

/*
 * `npm test` builds and runs what is quick, `npm run test:rest` everything else, `npm run test:deep` what takes long and
 * is random, `npm run test:all` the first two, `npm run test:console` the stories of the console in a browser, of which
 * the deep ones are a part. Options of jest that name tests (projects, paths, titles) run these instead:
 * `npm test -- --testPathPatterns channels`, `npm run test:deep -- job-simulation --seed=7`.
 */
const [set = 'all', ...options] = process.argv.slice(2);
const root = join(import.meta.dirname, '..');
const namesTests = options.some((option) => !option.startsWith('-') || option.startsWith('--selectProjects'));
const filter =
  set === 'all' || set === 'console' || namesTests ? [] : ['--filter=./test/setup/test-filter.cjs'];
const inBrowser = set === 'console' || set === 'deep';
const env = {
  ...process.env,
  ...(inBrowser && { SLIPWAY_CONSOLE: 'yes' }),
  ...((filter.length > 0 || set === 'deep') && { TEST_SET: set }),
};

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}

options.push(...seedOption(set, options));
run(process.execPath, 'scripts/build.ts');
if (inBrowser) run(process.execPath, 'scripts/build-console.ts');
if (set === 'console') options.push('--selectProjects=console');
run('npm', 'run', '--silent', 'jest', '--', ...options, ...filter);
