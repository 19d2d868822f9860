import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';

/**
 * The option of jest that says what random choices begin with: for a commit the same in every run, and another one each
 * time in deep runs. None if the options have one.
 */
export function seedOption(set: string | undefined, options: readonly string[]): string[] {
  if (options.some((option) => option.startsWith('--seed'))) return [];
  const seed = set === 'deep' ? randomInt(2 ** 31) : seedOfCommit();
  console.log(`Random choices begin with --seed=${seed}.`);
  return [`--seed=${seed}`];
}

function seedOfCommit(): number {
  const { stdout, status } = spawnSync('git', ['rev-parse', 'HEAD'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  return status === 0 ? Number.parseInt(stdout.slice(0, 7), 16) : 1;
}
