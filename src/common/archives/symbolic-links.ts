import { setImmediate } from 'node:timers/promises';
import type { WorkBudget } from '../work-budget.js';
import { shownPath } from './entry-problems.js';

/** Most links on the way of a path: the system follows no more, so what has more leads nowhere. */
const MAX_LINKS = 40;
/** Most names on the way: as many as the longest target has. */
const MAX_STEPS = 2048;
/** Names that are followed before other requests are served. */
const SLICE = 10_000;

/**
 * Looks for a symbolic link of a project that leads out of its folder, at its end or on the way, also through other links.
 *
 * @param links their targets by their paths, which are relative to the folder; no path leads through a link
 * @param work counts what it costs
 * @returns what is wrong with the first one, and what to do: a sentence without a full stop; `null`: nothing
 * @throws TooMuchWorkError
 */
export async function findEscapingLink(
  links: ReadonlyMap<string, string>,
  work?: WorkBudget,
): Promise<string | null> {
  // Some file systems take names for the same that differ here.
  const folded = new Map([...links].map(([path, target]) => [foldPath(path), target]));
  const targetOf = (path: string): string | undefined => {
    work?.spend(path.length + 1);
    return links.get(path) ?? folded.get(foldPath(path));
  };
  let steps = 0;
  for (const [path, target] of links) {
    const followed = follow(path, target, targetOf);
    if (followed.leadsOut) {
      return `${shownPath(path)} is a symbolic link out of the project, to ${shownPath(target)}: copy it into the project`;
    }
    steps += followed.steps;
    if (steps > SLICE) {
      steps = 0;
      await setImmediate();
    }
  }
  return null;
}

/** Follows a link as the system does. What is not there is inside. */
function follow(
  path: string,
  target: string,
  targetOf: (path: string) => string | undefined,
): { readonly leadsOut: boolean; readonly steps: number } {
  const folder = path.split('/').slice(0, -1);
  const pending: string[] = [];
  let steps = 0;
  let followed = 0;
  for (let next: string | undefined = target; ;) {
    if (next !== undefined) {
      if (++followed > MAX_LINKS) return { leadsOut: false, steps };
      if (next === '' || next.startsWith('/') || /[\\\0]/.test(next)) return { leadsOut: true, steps };
      pending.push(...next.split('/').toReversed());
      next = undefined;
    }
    const name = pending.pop();
    if (name === undefined) return { leadsOut: false, steps };
    if (name === '' || name === '.') continue;
    // No person makes such a link.
    if (++steps > MAX_STEPS) return { leadsOut: true, steps };
    if (name === '..') {
      if (folder.pop() === undefined) return { leadsOut: true, steps };
      continue;
    }
    folder.push(name);
    next = targetOf(folder.join('/'));
    if (next !== undefined) folder.pop();
  }
}

/** Equal for paths that some file systems take for the same. */
export function foldPath(path: string): string {
  return path.replace(/\/$/, '').normalize('NFC').toLowerCase();
}
