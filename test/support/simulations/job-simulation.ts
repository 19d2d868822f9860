import fc from 'fast-check';
import { buildCommands } from './build-commands.js';
import { claimCommands } from './claim-commands.js';
import { clockCommands, faultCommands } from './fault-commands.js';
import { type CommandKind, JobCommand } from './job-command.js';
import { drain } from './job-drain.js';
import type { JobModel } from './job-model.js';
import { JobScene } from './job-scene.js';
import type { JobWorld } from './job-world.js';
import { runnerCommands } from './runner-commands.js';

const MAX_COMMANDS = 40;
/** How long a failure is made shorter, in milliseconds. */
const SHRINKING = 120_000;

/** How often each of some commands comes: without jobs, most others do nothing, and faults cost seconds. */
const WEIGHTS: readonly (readonly [number, readonly CommandKind[]])[] = [
  [150, buildCommands.slice(0, 1)],
  [20, buildCommands.slice(1)],
  [150, claimCommands.slice(0, 1)],
  [10, claimCommands.slice(1)],
  [30, runnerCommands],
  [15, clockCommands],
  [2, faultCommands],
];

/** How often each command ran, over all runs. */
export type CommandCounts = Map<string, number>;

const choice = fc.nat(0xffff);

function commandsOf(weight: number, kind: CommandKind, counts: CommandCounts) {
  const counted: CommandKind = {
    ...kind,
    run: (scene, choices) => {
      counts.set(kind.name, (counts.get(kind.name) ?? 0) + 1);
      return kind.run(scene, choices);
    },
  };
  return {
    weight,
    arbitrary: fc.tuple(choice, choice, choice).map((choices) => new JobCommand(counted, choices)),
  };
}

/**
 * Runs random commands against jobs, and checks the invariants after each.
 *
 * @param runs how many runs, each in an organization of its own
 * @throws Error with the seed, the shortest commands that fail and what happened
 */
export async function simulateJobs(world: JobWorld, runs: number, seed: number): Promise<CommandCounts> {
  const counts: CommandCounts = new Map();
  const weighted = WEIGHTS.flatMap(([weight, kinds]) =>
    kinds.map((kind) => commandsOf(weight, kind, counts)),
  );
  const [first, ...others] = weighted;
  if (first === undefined) throw new Error('There are no commands.');
  const commands = fc.commands([fc.oneof(first, ...others)], { maxCommands: MAX_COMMANDS, size: 'max' });
  let failedAt: number | null = null;
  let done = 0;
  await fc.assert(
    fc.asyncProperty(commands, async (chosen) => {
      if (failedAt !== null && performance.now() > failedAt + SHRINKING) return;
      try {
        await runOnce(world, chosen);
        done++;
        if (done % 100 === 0) process.stdout.write(`${done} runs\n`);
      } catch (error) {
        failedAt ??= performance.now();
        throw error;
      }
    }),
    { numRuns: runs, seed },
  );
  return counts;
}

async function runOnce(
  world: JobWorld,
  commands: Iterable<fc.AsyncCommand<JobModel, JobScene>>,
): Promise<void> {
  const scene = await JobScene.create(world);
  try {
    await fc.asyncModelRun(() => ({ model: scene.model, real: scene }), commands);
    await drain(scene);
  } catch (error) {
    const logs = [...world.replicas.map(({ errors }) => errors), world.postgres.log].flatMap((log) =>
      log.slice(-10),
    );
    throw new Error(
      [error instanceof Error ? error.message : String(error), ...scene.trace, ...logs].join('\n'),
      { cause: error },
    );
  }
}
