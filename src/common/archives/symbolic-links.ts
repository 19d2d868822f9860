import { setImmediate } from 'node:timers/promises';
import type { WorkBudget } from '../work-budget.js';
import { shownPath } from './entry-problems.js';

/** Most links on the way of a path: the system follows no more, so what has more leads nowhere. */
const MAX_LINKS = 40;
/** Most names on the way: as many as the longest target has. */
const MAX_STEPS = 2048;
/** What each folder that leads to links costs, in bytes of a `WorkBudget`. */
const FOLDER_WORK = 512;
/** Names that are followed before other requests are served. */
const SLICE = 10_000;

/** A folder that leads to links, or a link. */
interface Place {
  /** By the names that some file systems take for the same. */
  readonly places: Map<string, Place>;
  /** Of links, by their exact paths. */
  readonly targets: Map<string, string>;
}

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
  const root = placesOf(links, work);
  let steps = 0;
  for (const [path, target] of links) {
    const followed = follow(root, path, target);
    if (followed.leadsOut) {
      return `${shownPath(path)} is a symbolic link out of the project, to ${shownPath(target)}: copy it into the project`;
    }
    work?.spend(followed.steps + 1);
    steps += followed.steps;
    if (steps > SLICE) {
      steps = 0;
      await setImmediate();
    }
  }
  return null;
}

function placesOf(links: ReadonlyMap<string, string>, work?: WorkBudget): Place {
  const root: Place = { places: new Map(), targets: new Map() };
  for (const [path, target] of links) {
    let place = root;
    for (const name of path.split('/')) {
      const key = foldPath(name);
      const known = place.places.get(key);
      if (known === undefined) work?.spend(FOLDER_WORK);
      const next = known ?? { places: new Map(), targets: new Map() };
      place.places.set(key, next);
      place = next;
    }
    place.targets.set(path, target);
  }
  return root;
}

/**
 * Follows a link as the system does. What is not there is inside. A target has thousands of names, so that it goes from name
 * to name, and makes no path of them.
 */
function follow(
  root: Place,
  path: string,
  target: string,
): { readonly leadsOut: boolean; readonly steps: number } {
  const names: string[] = [];
  /** `null`: a folder without links. */
  const way: (Place | null)[] = [root];
  const enter = (name: string): Place | null => {
    const place = way.at(-1)?.places.get(foldPath(name)) ?? null;
    names.push(name);
    way.push(place);
    return place;
  };
  for (const name of path.split('/').slice(0, -1)) enter(name);
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
      if (names.pop() === undefined) return { leadsOut: true, steps };
      way.pop();
      continue;
    }
    const place = enter(name);
    if (place === null || place.targets.size === 0) continue;
    next = place.targets.get(names.join('/')) ?? place.targets.values().next().value;
    names.pop();
    way.pop();
  }
}

/** Equal for paths that some file systems take for the same. */
export function foldPath(path: string): string {
  return path.replace(/\/$/, '').normalize('NFC').toLowerCase();
}
