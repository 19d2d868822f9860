import { parseArgs } from 'node:util';
import { type Bench, FULL, QUICK } from './check/bench.ts';
import { latency } from './check/latency.ts';
import { apps } from './check/many-apps.ts';
import { propagation, propagationCut } from './check/propagation.ts';
import { recorded } from './check/recorded.ts';
import { type OtherCommit, steady, type SteadyOptions } from './check/steady.ts';
import { devices, hit, releases, unknown } from './check/throughput.ts';
import { waiting } from './check/waiting.ts';
import { withBuildOf } from './build-of-commit.ts';
import { ahead, canPin, onCore, stayOnCore } from './cores.ts';
import { withInstance } from './instance.ts';
import { LoadGenerator } from './load/load.ts';
import { Results } from './results.ts';

/**
 * `npm run bench:check -- [scenario …]`: what the update check costs, against a bare `node:http` server and a NestJS
 * handler that send the same bytes. With `--quick` everything is tiny, and only the answers count. docs/performance.md
 * describes the scenarios and has the figures. Linux only.
 *
 * `--cases <part of a name>` and `--against <commit>`, which may be repeated, are for the scenario `steady`.
 */
const scenarios: Readonly<Record<string, (bench: Bench, options: SteadyOptions) => Promise<void>>> = {
  hit,
  steady,
  unknown,
  releases,
  devices,
  latency,
  recorded,
  waiting,
  propagation,
  'propagation-cut': propagationCut,
  apps,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    cases: { type: 'string', default: '' },
    against: { type: 'string', multiple: true, default: [] },
  },
});
const wrong = positionals.filter((name) => !(name in scenarios));
if (wrong.length > 0) {
  console.error(`There is no ${wrong.join(', ')}: choose from ${Object.keys(scenarios).join(', ')}.`);
  process.exit(1);
}
const chosen = positionals.length > 0 ? positionals : Object.keys(scenarios);
if ((values.against.length > 0 || values.cases !== '') && chosen.join() !== 'steady') {
  console.error('--against and --cases are for the scenario "steady" only.');
  process.exit(1);
}

if (!canPin) console.log('Processes cannot be tied to cores here: the figures say little.');
await startOthers(values.against, []);

/** Builds and starts the other commits, one after the other, and measures when all are there. */
async function startOthers(commits: readonly string[], started: readonly OtherCommit[]): Promise<void> {
  const [commit, ...rest] = commits;
  if (commit === undefined) return measure(started);
  await withBuildOf(commit, (build) => {
    stayOnCore(1);
    return withInstance((instance) => startOthers(rest, [...started, { commit, instance }]), {
      under: onCore(0),
      build,
    });
  });
}

async function measure(against: readonly OtherCommit[]): Promise<void> {
  stayOnCore(1);
  // The time of a response must not include the time that the generator waits for its core.
  const generator = new LoadGenerator(ahead());
  const results = new Results(values.quick ? 'check-quick' : 'check');
  try {
    await withInstance(
      async (instance) => {
        const bench = { instance, generator, results, settings: values.quick ? QUICK : FULL };
        for (const name of chosen) await scenarios[name]?.(bench, { cases: values.cases, against });
      },
      { under: onCore(0) },
    );
    await results.write();
  } finally {
    generator.stop();
  }
}
