import fc, { type AsyncCommand } from 'fast-check';
import type { Choices } from '../job-command.js';
import { type CommandCounts, failureOf, randomRuns } from '../random-runs.js';
import { storeCommands } from './store-commands.js';
import { type SubmissionCommandKind, submissionCommands } from './submission-commands.js';
import { drain } from './submission-drain.js';
import type { SubmissionModel } from './submission-model.js';
import { SubmissionScene } from './submission-scene.js';
import type { SubmissionWorld } from './submission-world.js';

/** A command with what it does it to. All invariants are checked after it. */
class SubmissionCommand implements AsyncCommand<SubmissionModel, SubmissionScene> {
  constructor(
    private readonly kind: SubmissionCommandKind,
    private readonly choices: Choices,
    private readonly counts: CommandCounts,
  ) {}

  check(): boolean {
    return true;
  }

  async run(_model: SubmissionModel, scene: SubmissionScene): Promise<void> {
    scene.trace.push(this.toString());
    this.counts.set(this.kind.name, (this.counts.get(this.kind.name) ?? 0) + 1);
    await this.kind.run(scene, this.choices);
    await scene.observe();
  }

  toString(): string {
    return `${this.kind.name}(${this.choices.join()})`;
  }
}

/**
 * Runs random commands against submissions, and checks the invariants after each.
 *
 * @param runs how many runs, each with a new Google Play
 * @returns how often each command ran, and how submissions ended
 * @throws Error with the seed, the shortest commands that fail and what happened
 */
export async function simulateSubmissions(
  world: SubmissionWorld,
  runs: number,
  seed: number,
): Promise<CommandCounts> {
  const counts: CommandCounts = new Map();
  const commands = [...submissionCommands, ...storeCommands].map((kind) => ({
    weight: kind.weight,
    make: (choices: Choices) => new SubmissionCommand(kind, choices, counts),
  }));
  await randomRuns(commands, (chosen) => runOnce(world, chosen, counts), { runs, seed, reportEvery: 10 });
  return counts;
}

async function runOnce(
  world: SubmissionWorld,
  commands: Iterable<AsyncCommand<SubmissionModel, SubmissionScene>>,
  counts: CommandCounts,
): Promise<void> {
  const scene = await SubmissionScene.create(world);
  try {
    await fc.asyncModelRun(() => ({ model: scene.model, real: scene }), commands);
    await drain(scene);
  } catch (error) {
    const logs = world.jobs.replicas.flatMap(({ errors }) => errors.slice(-10));
    const calls = world.play.calls.slice(-40).map(({ call, path, status }) => `${call} ${path}: ${status}`);
    throw failureOf(error, ...scene.trace, ...calls, ...logs);
  }
  for (const { state, status } of scene.model.last) {
    const end = `${state}:${status}`;
    counts.set(end, (counts.get(end) ?? 0) + 1);
  }
}
