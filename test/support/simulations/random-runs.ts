import fc, { type AsyncCommand } from 'fast-check';
import type { Choices } from './job-command.js';

const MAX_COMMANDS = 40;
/** How long a failure is made shorter, in milliseconds. */
const SHRINKING = 120_000;

/** How often each command ran, over all runs. */
export type CommandCounts = Map<string, number>;

/** A command that comes as often as its weight says, with what it is done to. */
export interface WeightedCommand<Model extends object, Real> {
  readonly weight: number;
  readonly make: (choices: Choices) => AsyncCommand<Model, Real>;
}

/** How many runs, from which seed, and after how many of them a line says so. */
export interface Runs {
  readonly runs: number;
  readonly seed: number;
  readonly reportEvery: number;
}

/**
 * Runs random commands.
 *
 * @param runOnce does some of them, and checks what must hold afterwards
 * @throws Error with the seed, the shortest commands that fail and what happened
 */
export async function randomRuns<Model extends object, Real>(
  weighted: readonly WeightedCommand<Model, Real>[],
  runOnce: (commands: Iterable<AsyncCommand<Model, Real>>) => Promise<void>,
  { runs, seed, reportEvery }: Runs,
): Promise<void> {
  const choice = fc.nat(0xffff);
  const [first, ...others] = weighted.map(({ weight, make }) => ({
    weight,
    arbitrary: fc.tuple(choice, choice, choice).map(make),
  }));
  if (first === undefined) throw new Error('There are no commands.');
  const commands = fc.commands([fc.oneof(first, ...others)], { maxCommands: MAX_COMMANDS, size: 'max' });
  let failedAt: number | null = null;
  let done = 0;
  await fc.assert(
    fc.asyncProperty(commands, async (chosen) => {
      if (failedAt !== null && performance.now() > failedAt + SHRINKING) return;
      try {
        await runOnce(chosen);
        done++;
        if (done % reportEvery === 0) process.stdout.write(`${done} runs\n`);
      } catch (error) {
        failedAt ??= performance.now();
        throw error;
      }
    }),
    { numRuns: runs, seed },
  );
}

/** The error of a run, with what was done in it and what servers have logged. */
export function failureOf(error: unknown, ...lines: readonly string[]): Error {
  const message = error instanceof Error ? error.message : String(error);
  return new Error([message, ...lines].join('\n'), { cause: error });
}
