import { readFile, writeFile } from 'node:fs/promises';

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
  if (make !== undefined) {
    try {
      await writeFile(path, `${make()}\n`, { mode: 0o600, flag: 'wx', flush: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  const secret = await readFile(path, 'utf8').then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && make === undefined) return null;
      throw new Error(`Cannot read ${path}: ${error.message}.`, { cause: error });
    },
  );
  if (secret !== null && !isValid(secret)) throw new Error(`${path} is damaged. ${remedy}`);
  return secret;
}
