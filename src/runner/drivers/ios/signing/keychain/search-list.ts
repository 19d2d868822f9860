import { isAbsolute, relative } from 'node:path';
import { StepError } from '../../../../steps/build-run.js';
import type { SecurityTool } from './security-tool.js';

/** Four spaces, then the path in quotes, without escapes. */
const LINE = /^\s*"(.*)"\s*$/;

/** The keychains that macOS searches for this user, in order. @throws StepError */
export async function readSearchList(security: SecurityTool, signal: AbortSignal): Promise<string[]> {
  const { exitCode, stdout } = await security.run(['list-keychains', '-d', 'user'], signal);
  if (exitCode !== 0) throw new StepError('sign', 'The search list of keychains of this Mac cannot be read.');
  return parseSearchList(stdout);
}

/** @throws StepError */
export async function writeSearchList(
  security: SecurityTool,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { exitCode } = await security.run(['list-keychains', '-d', 'user', '-s', ...paths], signal);
  if (exitCode !== 0)
    throw new StepError('sign', 'The search list of keychains of this Mac cannot be changed.');
}

/** @param output what `security list-keychains` prints */
export function parseSearchList(output: string): string[] {
  return output.split('\n').flatMap((line) => LINE.exec(line)?.[1] ?? []);
}

/** Leaves out what is in a folder. */
export function withoutFolder(paths: readonly string[], folder: string): string[] {
  return paths.filter((path) => {
    const inner = relative(folder, path);
    return inner === '' || inner.startsWith('..') || isAbsolute(inner);
  });
}
