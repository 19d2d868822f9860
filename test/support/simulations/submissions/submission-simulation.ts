import fc, { type AsyncCommand } from 'fast-check';
import type { Choices } from '../job-command.js';
import type { CommandCounts } from '../job-simulation.js';
import { storeCommands } from './store-commands.js';
import { type SubmissionCommandKind, submissionCommands } from './submission-commands.js';
import { drain } from './submission-drain.js';
import type { SubmissionModel } from './submission-model.js';
import { SubmissionScene } from './submission-scene.js';
import type { SubmissionWorld } from './submission-world.js';

const MAX_COMMANDS = 40;
/** How long a failure is made shorter, in milliseconds. */
const SHRINKING = 120_000;

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
  const choice = fc.nat(0xffff);
  const [first, ...others] = [...submissionCommands, ...storeCommands].map((kind) => ({
    weight: kind.weight,
    arbitrary: fc
      .tuple(choice, choice, choice)
      .map((choices) => new SubmissionCommand(kind, choices, counts)),
  }));
  if (first === undefined) throw new Error('There are no commands.');
  const commands = fc.commands([fc.oneof(first, ...others)], { maxCommands: MAX_COMMANDS, size: 'max' });
  let failedAt: number | null = null;
  let done = 0;
  await fc.assert(
    fc.asyncProperty(commands, async (chosen) => {
      if (failedAt !== null && performance.now() > failedAt + SHRINKING) return;
      try {
        await runOnce(world, chosen, counts);
        done++;
        if (done % 10 === 0) process.stdout.write(`${done} runs\n`);
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
    throw new Error(
      [error instanceof Error ? error.message : String(error), ...scene.trace, ...calls, ...logs].join('\n'),
      { cause: error },
    );
  }
  for (const { state, status } of scene.model.last) {
    const end = `${state}:${status}`;
    counts.set(end, (counts.get(end) ?? 0) + 1);
  }
}
