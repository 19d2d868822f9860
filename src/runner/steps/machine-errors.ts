import { type BuildStep, StepError } from './build-run.js';

const SENTENCES: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk of the runner is full.',
  EDQUOT: 'The disk of the runner is full.',
  ENAMETOOLONG: 'A file or a folder has a name or a path that is too long for the runner.',
  EMFILE: 'The runner has too many open files.',
  ENFILE: 'The runner has too many open files.',
};

/**
 * What an error of the machine means, in a sentence without paths, which would say how the machine is set up.
 *
 * @returns `null`: the error is not one of a system call
 */
export function machineSentence(error: unknown): string | null {
  const { code, syscall } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  if (code === undefined || syscall === undefined) return null;
  return SENTENCES[code] ?? `The machine of the runner refused an operation (${syscall}: ${code}).`;
}

/**
 * Does a part of a step.
 *
 * @throws StepError also when the machine fails, such as with a full disk
 */
export async function inStep<R>(step: BuildStep, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    const sentence = machineSentence(error);
    throw sentence === null ? error : new StepError(step, sentence);
  }
}
