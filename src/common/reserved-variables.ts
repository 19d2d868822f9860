/**
 * Variables that the runner sets for every build: the facts of the build, and what programs and libraries are found by. A
 * value of a user would break the tools of the build in ways that are hard to see. Everything else is up to the user, also
 * `NODE_OPTIONS`: builds run what the repository says anyway, in a sandbox.
 */
const RESERVED = /^(CI|CI_.*|PATH|HOME|LD_.*|DYLD_.*|__proto__)$/;

/** Whether users cannot set a variable: the API refuses it, and the runner leaves it out. */
export function isReservedVariable(name: string): boolean {
  return RESERVED.test(name);
}
