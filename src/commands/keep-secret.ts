import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';

/** What the file of a secret holds. */
export interface SecretFormat {
  isValid(text: string): boolean;
  /** What to do about a damaged file. */
  readonly remedy: string;
}

/**
 * Reads a secret from a file, and creates the file, which only its owner can read, if there is none.
 *
 * @returns the secret; of processes that create it at the same time, that of the first; `null` when there is none and
 *   none is made
 * @throws Error when the file is damaged
 */
export async function keepSecret(path: string, make: () => string, format: SecretFormat): Promise<string>;
export async function keepSecret(
  path: string,
  make: (() => string) | undefined,
  format: SecretFormat,
): Promise<string | null>;
export async function keepSecret(
  path: string,
  make: (() => string) | undefined,
  { isValid, remedy }: SecretFormat,
): Promise<string | null> {
  let secret = await read(path);
  if (secret === null && make !== undefined) {
    await create(path, make());
    secret = await read(path);
  }
  if (secret !== null && !isValid(secret)) throw new Error(`${path} is damaged. ${remedy}`);
  return secret;
}

/** @returns `null` when there is no file */
async function read(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new Error(`Cannot read ${path}: ${message}.`, { cause: error });
  }
}

/** The file appears atomically, also when the process is killed. Does nothing when there is one. */
async function create(path: string, secret: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    await writeFile(temporary, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
    await link(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}
