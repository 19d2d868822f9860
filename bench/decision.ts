import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { casesOf, type DecisionCase } from '../test/support/update-checks/decision-cases.ts';
import { rounded } from './measure.ts';
import { Results } from './results.ts';

/*
 * `npm run bench:decision -- --against <commit>`: what the decision of an update check costs, without the rest of the server,
 * in the working tree and in a commit. Both decide the same cases in one process, in turns. The fastest turn of each counts,
 * because other work on the machine only makes turns slower. docs/performance.md has figures.
 */

type Decisions = Pick<
  typeof import('../src/devices/channel-decision/device-decision.ts'),
  'decideForDevice'
> &
  Pick<typeof import('../src/devices/releases/rollback-counts.ts'), 'RollbackCounts'>;

const ROOT = join(import.meta.dirname, '..');
/** How long one turn is, in milliseconds, and how many each takes. */
const TURN_MS = 3;
const TURNS = 1500;

const { values } = parseArgs({ options: { against: { type: 'string' } } });
if (values.against === undefined) {
  console.error('Name the commit to compare with: npm run bench:decision -- --against <commit>');
  process.exit(1);
}

// Within the checkout, so that its packages are found.
mkdirSync(join(ROOT, 'bench/results'), { recursive: true });
const folder = mkdtempSync(join(ROOT, 'bench/results/decision-'));
try {
  const archive = execFileSync('git', ['archive', values.against, 'src'], {
    cwd: ROOT,
    maxBuffer: 256 * 1024 ** 2,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const then = await decisionsOf(folder, 'then');
  // Twice: what differs between the two is the error of the measurement.
  const programs = [await decisionsOf(ROOT, 'now'), await decisionsOf(ROOT, 'again'), then] as const;
  const results = new Results('decision');
  const names = Object.keys(casesOf(new then.RollbackCounts(), new then.RollbackCounts()));
  results.add(
    'Nanoseconds of a decision',
    names.map((name) => compare(name, programs)),
  );
  await results.write();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The decision as the sources in a folder make it, in a module of its own. */
async function decisionsOf(sources: string, name: string): Promise<Decisions> {
  const outfile = join(folder, `${name}.mjs`);
  const from = (path: string): string => JSON.stringify(join(sources, 'src/devices', path));
  await build({
    stdin: {
      contents: `export { decideForDevice } from ${from('channel-decision/device-decision.ts')};
export { RollbackCounts } from ${from('releases/rollback-counts.ts')};`,
      resolveDir: sources,
      loader: 'ts',
    },
    tsconfigRaw: {},
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  return (await import(outfile)) as Decisions;
}

function compare(name: string, programs: readonly [Decisions, Decisions, Decisions]) {
  const runs = programs.map((program) => turnsOf(program, caseOf(program, name)));
  const fastest = runs.map(() => Infinity);
  for (let turn = 0; turn < TURNS; turn++) {
    runs.forEach((run, n) => (fastest[n] = Math.min(fastest[n] ?? Infinity, run())));
  }
  const [now = 0, again = 0, then = 0] = fastest;
  return {
    case: name,
    now: rounded(now),
    again: rounded(again),
    [values.against ?? '']: rounded(then),
    'now ÷ then': rounded(Math.min(now, again) / then, 3),
    'spread (%)': rounded((Math.max(now, again) / Math.min(now, again) - 1) * 100, 1),
  };
}

function caseOf({ RollbackCounts }: Decisions, name: string): DecisionCase {
  const found = casesOf(new RollbackCounts(), new RollbackCounts())[name];
  if (found === undefined) throw new Error(`There is no case ${name}.`);
  return found;
}

/** @returns makes a turn; the nanoseconds of one decision in it */
function turnsOf({ decideForDevice }: Decisions, { table, check }: DecisionCase): () => number {
  const now = new Date();
  const clock = (): Date => now;
  const decide = (times: number): number => {
    const start = process.hrtime.bigint();
    for (let n = 0; n < times; n++) decideForDevice(table, check, clock);
    return Number(process.hrtime.bigint() - start) / times;
  };
  // Compiled by then.
  const once = decide(20_000);
  const times = Math.max(1, Math.round((TURN_MS * 1e6) / once));
  return () => decide(times);
}
