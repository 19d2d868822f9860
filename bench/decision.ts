import { casesOf, type DecisionCase } from '../test/support/update-checks/decision-cases.ts';
import { rounded } from './measure.ts';
import { compareModules } from './modules.ts';
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

/** How long one turn is, in milliseconds, and how many each takes. */
const TURN_MS = 3;
const TURNS = 1500;

await compareModules<Decisions>(
  'decision',
  {
    'devices/channel-decision/device-decision.ts': 'decideForDevice',
    'devices/releases/rollback-counts.ts': 'RollbackCounts',
  },
  async (programs, commit) => {
    const results = new Results('decision');
    const [, , then] = programs;
    const names = Object.keys(casesOf(new then.RollbackCounts(), new then.RollbackCounts()));
    results.add(
      'Nanoseconds of a decision',
      names.map((name) => compare(name, commit, programs)),
    );
    await results.write();
  },
);

function compare(name: string, commit: string, programs: readonly [Decisions, Decisions, Decisions]) {
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
    [commit]: rounded(then),
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
