import { opendir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { StepError } from '../build-run.js';

/** As many as a bundle can have. */
const MAX_FILES = 20_000;
const MAX_FOLDERS = 20_000;
const MAX_BYTES = 1024 ** 3;

/** A file of the output. */
export interface OutputFile {
  /** In the zip, with `/`. */
  readonly name: string;
  /** On this machine, without links. */
  readonly path: string;
  readonly size: number;
}

/**
 * The files of the output, by name. Links to files within it count as files.
 *
 * @param folder without links; no process of the build may run
 * @throws StepError when a link leads out of it, something is no file, or it is too large
 */
export async function listOutput(folder: string): Promise<OutputFile[]> {
  const files: OutputFile[] = [];
  let bytes = 0;
  let folders = 0;
  const pending = [''];
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    for await (const entry of await opendir(join(folder, parent))) {
      const name = parent === '' ? entry.name : `${parent}/${entry.name}`;
      if (entry.isDirectory()) {
        if (++folders > MAX_FOLDERS) throw tooLarge();
        pending.push(name);
        continue;
      }
      if (!entry.isFile() && !entry.isSymbolicLink()) throw special(name);
      const file = await describe(folder, name);
      bytes += file.size;
      files.push(file);
      if (files.length > MAX_FILES || bytes > MAX_BYTES) throw tooLarge();
    }
  }
  return files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function describe(folder: string, name: string): Promise<OutputFile> {
  if (/[\\\p{Cc}\uFFFD]/u.test(name)) {
    throw new StepError('output', `The output has a file whose name no device can use: ${shown(name)}.`);
  }
  const path = await realpath(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENAMETOOLONG') throw error;
    return null;
  });
  if (path === null || !path.startsWith(folder + sep)) {
    throw new StepError(
      'output',
      `The symbolic link ${shown(name)} leads out of the output folder: copy what it leads to.`,
    );
  }
  const stats = await stat(path);
  if (stats.isDirectory()) {
    throw new StepError(
      'output',
      `The symbolic link ${shown(name)} leads to a folder: copy it, as only links to files are packed.`,
    );
  }
  if (!stats.isFile()) throw special(name);
  return { name, path, size: stats.size };
}

function special(name: string): StepError {
  return new StepError('output', `The output has ${shown(name)}, which is not an ordinary file.`);
}

function tooLarge(): StepError {
  return new StepError('output', `The output has more than ${MAX_FILES} files, or more than 1 GiB.`);
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}
