import { StepError } from '../build-run.js';
import type { ProjectFolder } from '../project/project-folder.js';

const MAX_BYTES = 1024 * 1024;

/** A part of a file that is replaced. */
export interface Place {
  /** Relative to the working copy. */
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** A place, and what stands there from now on. */
export interface Edit extends Place {
  readonly text: string;
}

/** Reads a file that may be changed. @returns `null`: there is none */
export function readPlaceFile(files: ProjectFolder, path: string): Promise<string | null> {
  return files.read('configuration', path, MAX_BYTES);
}

/**
 * The only place of a value: with several, it is not clear which one counts.
 *
 * @param what such as `the package name`
 * @param where such as `app/build.gradle has no applicationId with a plain text`, if there is none
 * @throws StepError that names the files
 */
export function onlyPlace<P extends Place>(places: readonly P[], what: string, where: string): P {
  const [only] = places;
  if (only !== undefined && places.length === 1) return only;
  const paths = [...new Set(places.map(({ path }) => path))].slice(0, 10);
  throw new StepError(
    'configuration',
    places.length === 0
      ? `The configuration sets ${what}, but ${where}.`
      : `The configuration sets ${what}, which has ${places.length} places in ${paths.join(', ')}: Slipway replaces values that have exactly one place.`,
  );
}

/** Writes all edits. They do not overlap. */
export async function applyEdits(files: ProjectFolder, edits: readonly Edit[]): Promise<void> {
  for (const path of new Set(edits.map((edit) => edit.path))) {
    let text = (await readPlaceFile(files, path)) ?? '';
    const own = edits.filter((edit) => edit.path === path).toSorted((a, b) => b.start - a.start);
    for (const edit of own) text = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
    await files.write('configuration', path, text);
  }
}
