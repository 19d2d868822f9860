import { NotFoundError } from '../../common/errors/app-error.js';

/**
 * Opens a key that was there before.
 *
 * @param open throws `NotFoundError` when the key was deleted
 * @param gone the error for that
 */
export async function openKey<Key>(open: Promise<Key>, gone: () => Error): Promise<Key> {
  try {
    return await open;
  } catch (error) {
    throw error instanceof NotFoundError ? gone() : error;
  }
}

/**
 * Opens those of some keys that still exist, such as the one that a submission began with and the one that its destination
 * names now.
 *
 * @param names what `open` takes; `null`: there is none. The same name twice is one key
 * @param open throws `NotFoundError` when the key was deleted
 */
export async function openRemaining<Name, Key>(
  names: readonly (Name | null)[],
  open: (name: Name) => Promise<Key>,
): Promise<Key[]> {
  const keys: Key[] = [];
  const seen = new Set<string>();
  for (const name of names) {
    const text = JSON.stringify(name);
    if (name === null || seen.has(text)) continue;
    seen.add(text);
    try {
      keys.push(await open(name));
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
  return keys;
}
