import { isReservedVariable } from '../../common/reserved-variables.js';

/** Longest key, in characters. */
export const MAX_KEY_LENGTH = 128;
/** Longest part of a wrong key that an error repeats, in characters. */
const MAX_SHOWN = 64;

/** POSIX, "Environment Variable Definition": names that every shell can use. */
const POSIX_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Why a text cannot be the key of a variable or secret, to follow its name in a sentence; `null`: it can. */
export function findKeyViolation(key: unknown): string | null {
  if (typeof key !== 'string' || key.length > MAX_KEY_LENGTH || !POSIX_NAME.test(key)) {
    const rule = `must be a name such as API_URL: up to ${MAX_KEY_LENGTH} letters, digits and underscores, not starting with a digit`;
    // The command-line tool shows no place, only the sentence.
    return typeof key === 'string' && key !== '' ? `${rule}; this one is ${shown(key)}` : rule;
  }
  return isReservedVariable(key) ? `must not be ${key}, which is reserved for the runner` : null;
}

function shown(key: string): string {
  return JSON.stringify(key.length > MAX_SHOWN ? `${key.slice(0, MAX_SHOWN)}…` : key);
}
