/** Longest key, in characters. */
export const MAX_KEY_LENGTH = 128;

/** POSIX, "Environment Variable Definition": names that every shell can use. */
const POSIX_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * What the runner sets for every build: the facts of the build, and what programs and libraries are found by. A value
 * of a user would break the tools of the build in ways that are hard to see. Everything else is up to the user, also
 * `NODE_OPTIONS`: builds run what the repository says anyway, in a sandbox.
 */
const RESERVED = /^(CI|CI_.*|PATH|HOME|LD_.*|DYLD_.*|__proto__)$/;

/** Why a text cannot be the key of a variable or secret, to follow its name in a sentence; `null`: it can. */
export function findKeyViolation(key: unknown): string | null {
  if (typeof key !== 'string' || key.length > MAX_KEY_LENGTH || !POSIX_NAME.test(key)) {
    return `must be a name such as API_URL: up to ${MAX_KEY_LENGTH} letters, digits and underscores, not starting with a digit`;
  }
  return RESERVED.test(key) ? `must not be ${key}, which is reserved for the runner` : null;
}
