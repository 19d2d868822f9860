import fc from 'fast-check';
import { buildCommands } from './build-commands.js';
import { claimCommands } from './claim-commands.js';
import { clockCommands, faultCommands } from './fault-commands.js';
import { type CommandKind, JobCommand } from './job-command.js';
import { drain } from './job-drain.js';
import type { JobModel } from './job-model.js';
import { JobScene } from './job-scene.js';
import type { JobWorld } from './job-world.js';
import { type CommandCounts, failureOf, randomRuns, type WeightedCommand } from './random-runs.js';
import { runnerCommands } from './runner-commands.js';

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

function commandOf(
  weight: number,
  kind: CommandKind,
  counts: CommandCounts,
): WeightedCommand<JobModel, JobScene> {
  const counted: CommandKind = {
    ...kind,
    run: (scene, choices) => {
      counts.set(kind.name, (counts.get(kind.name) ?? 0) + 1);
      return kind.run(scene, choices);
    },
  };
  return { weight, make: (choices) => new JobCommand(counted, choices) };
}

/**
 * Runs random commands against jobs, and checks the invariants after each.
 *
 * @param runs how many runs, each in an organization of its own
 * @throws Error with the seed, the shortest commands that fail and what happened
 */
export async function simulateJobs(world: JobWorld, runs: number, seed: number): Promise<CommandCounts> {
  const counts: CommandCounts = new Map();
  const commands = WEIGHTS.flatMap(([weight, kinds]) => kinds.map((kind) => commandOf(weight, kind, counts)));
  await randomRuns(commands, (chosen) => runOnce(world, chosen), { runs, seed, reportEvery: 100 });
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
    throw failureOf(error, ...scene.trace, ...logs);
  }
}
