import { constants } from 'node:fs';
import { open, opendir, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { type BuildStep, StepError } from '../build-run.js';

/** Follows no link, and does not wait for the writer of a FIFO. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const WRITE_FLAGS = constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const NEW_FLAGS = WRITE_FLAGS | constants.O_CREAT | constants.O_EXCL;
const MAX_NAMES = 10_000;

/** A file or a folder of the working copy. */
export interface ProjectEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/**
 * The working copy as the runner itself reads it, while no process of the build runs. What a build has made is hostile:
 * links that leave the working copy are refused, and special files are not opened.
 */
export class ProjectFolder {
  private constructor(
    /** Without links. */
    private readonly root: string,
  ) {}

  static async at(root: string): Promise<ProjectFolder> {
    return new ProjectFolder(await realpath(root));
  }

  /**
   * Where a path of the working copy leads to.
   *
   * @param path relative to the working copy
   * @returns the path without links; `null`: there is nothing
   * @throws StepError when it leaves the working copy
   */
  async resolve(step: BuildStep, path: string): Promise<string | null> {
    const target = join(this.root, path);
    if (!this.contains(target)) throw leavesProject(step, path);
    const found = await realpath(target).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
      if (error.code === 'ELOOP' || error.code === 'ENAMETOOLONG' || error.code === 'EACCES') {
        throw new StepError(
          step,
          `The path ${JSON.stringify(path.slice(0, 200))} of the project cannot be followed.`,
        );
      }
      throw error;
    });
    if (found !== null && !this.contains(found)) throw leavesProject(step, path);
    return found;
  }

  private contains(path: string): boolean {
    return path === this.root || path.startsWith(this.root + sep);
  }

  /** A path without links, relative to the working copy. */
  relative(path: string): string {
    return relative(this.root, path);
  }

  /**
   * @param maxBytes of the file
   * @returns the text; `null`: there is no such file
   * @throws StepError when it leaves the working copy, is no file, or is too large
   */
  async read(step: BuildStep, path: string, maxBytes: number): Promise<string | null> {
    const bytes = await this.readBytes(step, path, maxBytes);
    return bytes === null ? null : bytes.toString('utf8');
  }

  /** As `read`, for files that are no text. */
  async readBytes(step: BuildStep, path: string, maxBytes: number): Promise<Buffer | null> {
    const found = await this.resolve(step, path);
    if (found === null) return null;
    const file = await open(found, READ_FLAGS).catch((error: NodeJS.ErrnoException) => {
      if (['EISDIR', 'ENXIO', 'ELOOP'].includes(error.code ?? '')) return null;
      throw error.code === 'EACCES' ? forbidden(step, path) : error;
    });
    try {
      const stats = await file?.stat();
      if (file === null || stats?.isFile() !== true)
        throw new StepError(step, `${path} is not an ordinary file.`);
      if (stats.size > maxBytes) {
        throw new StepError(step, `${path} is larger than the ${maxBytes} bytes that are allowed.`);
      }
      return await file.readFile();
    } finally {
      await file?.close();
    }
  }

  /**
   * Writes a file. An existing one keeps its mode and its place: a link to it stays.
   *
   * @param mode of a new file, whose folder exists
   * @throws StepError when it leaves the working copy, or is no file
   */
  async write(step: BuildStep, path: string, text: string, mode = 0o644): Promise<void> {
    const found = await this.resolve(step, path);
    const parent = await this.resolve(step, dirname(path));
    if (parent === null) throw new StepError(step, `The folder of ${path} does not exist.`);
    const target = found ?? join(parent, basename(path));
    const flags = found === null ? NEW_FLAGS : WRITE_FLAGS;
    const file = await open(target, flags, mode).catch((error: NodeJS.ErrnoException) => {
      if (['EISDIR', 'ENXIO', 'EACCES', 'ELOOP', 'EEXIST'].includes(error.code ?? '')) return null;
      throw error;
    });
    try {
      if (file === null || !(await file.stat()).isFile()) {
        throw new StepError(step, `${path} is not an ordinary file.`);
      }
      await file.truncate();
      await file.writeFile(text);
    } finally {
      await file?.close();
    }
  }

  /**
   * What is in a folder, by name. Links and special files are left out.
   *
   * @returns nothing: there is no such folder
   * @throws StepError when it leaves the working copy, cannot be read, or has too much
   */
  async list(step: BuildStep, path: string): Promise<ProjectEntry[]> {
    const found = await this.resolve(step, path);
    const folder =
      found === null
        ? null
        : await opendir(found).catch((error: NodeJS.ErrnoException) => {
            if (error.code === 'ENOTDIR') return null;
            throw error.code === 'EACCES' ? forbidden(step, path) : error;
          });
    const entries: ProjectEntry[] = [];
    let names = 0;
    // One by one: a build can have made millions.
    for await (const entry of folder ?? []) {
      if (++names > MAX_NAMES) throw new StepError(step, `${path} has more than ${MAX_NAMES} entries.`);
      const isFolder = entry.isDirectory();
      if (isFolder || entry.isFile()) entries.push({ name: entry.name, isFolder });
    }
    return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** As `read`, for JSON. @throws StepError also when it is no JSON object */
  async readJson(step: BuildStep, path: string, maxBytes: number): Promise<Record<string, unknown> | null> {
    const text = await this.read(step, path, maxBytes);
    if (text === null) return null;
    const value = parse(text);
    if (!isObject(value)) throw new StepError(step, `${path} is not a valid JSON object.`);
    return value;
  }
}

function forbidden(step: BuildStep, path: string): StepError {
  return new StepError(step, `${path} cannot be read: its mode does not allow that.`);
}

function leavesProject(step: BuildStep, path: string): StepError {
  return new StepError(step, `The path ${JSON.stringify(path.slice(0, 200))} leads out of the project.`);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
