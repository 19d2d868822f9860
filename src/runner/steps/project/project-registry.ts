import { join } from 'node:path';
import { StepError } from '../build-run.js';
import type { ProjectFolder } from './project-folder.js';

const MAX_BYTES = 1024 * 1024;
/** `registry` itself: one of a scope has another key. */
const REGISTRY = /^\s*"?registry"?\s*=\s*\S/m;

/**
 * Whether an `.npmrc` of the project names a registry: in the folder where commands run, or in one above, as in a workspace. A
 * variable would win over it, so builds of such a project get none.
 *
 * @param baseDir relative to the working copy, without links
 */
export async function namesRegistry(project: ProjectFolder, baseDir: string): Promise<boolean> {
  const parts = baseDir === '' ? [] : baseDir.split('/');
  for (let length = parts.length; length >= 0; length--) {
    const path = join(...parts.slice(0, length), '.npmrc');
    // npm does not read what is no file of the project, either.
    const text = await project.read('configuration', path, MAX_BYTES).catch((error: unknown) => {
      if (error instanceof StepError) return null;
      throw error;
    });
    if (text !== null && REGISTRY.test(text)) return true;
  }
  return false;
}
