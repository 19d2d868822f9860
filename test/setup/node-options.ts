import { join } from 'node:path';

/** Much of the time of a start is spent on compiling modules: for `NODE_COMPILE_CACHE` of what runs from `dist`. */
export const NODE_COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/slipway');

/** Those of `npm start`, where memory counts. */
export const SHIPPED_OPTIONS = [
  '--max-semi-space-size=4',
  '--no-parallel-scavenge',
  '--no-allocation-site-pretenuring',
  '--heap-growing-percent=100',
];

/**
 * What makes a start cheaper, and changes nothing that tests look at: the garbage of loading modules is collected less
 * often, and modules are not looked up through symbolic links, of which there are none.
 */
export const QUICK_OPTIONS = ['--min-semi-space-size=16', '--preserve-symlinks'];
