import { isReservedVariable } from '../../common/reserved-variables.js';

/** Longest key, in characters. */
export const MAX_KEY_LENGTH = 128;

/** POSIX, "Environment Variable Definition": names that every shell can use. */
const POSIX_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Why a text cannot be the key of a variable or secret, to follow its name in a sentence; `null`: it can. */
export function findKeyViolation(key: unknown): string | null {
  if (typeof key !== 'string' || key.length > MAX_KEY_LENGTH || !POSIX_NAME.test(key)) {
    return `must be a name such as API_URL: up to ${MAX_KEY_LENGTH} letters, digits and underscores, not starting with a digit`;
  }
  return isReservedVariable(key) ? `must not be ${key}, which is reserved for the runner` : null;
}
