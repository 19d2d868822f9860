import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Much of the time of a start is spent on compiling modules: for `NODE_COMPILE_CACHE` of what runs from `dist`. */
export const NODE_COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/slipway');

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  scripts: Record<'start', string>;
};

/** Those of `npm start` and the image: ADR 26. */
export const SHIPPED_OPTIONS = (/^node (.*)/.exec(scripts.start)?.[1] ?? '')
  .split(' ')
  .filter((word) => word.startsWith('--'));

/** What makes a start cheaper, and changes nothing that tests look at: its garbage is collected less often. */
export const QUICK_OPTIONS = ['--min-semi-space-size=16'];

/**
 * The same for programs of many modules: these are not looked up through symbolic links, of which there are none, and
 * are found where they were before.
 */
export const QUICK_MODULE_OPTIONS = [
  ...QUICK_OPTIONS,
  '--preserve-symlinks',
  `--import=${join(import.meta.dirname, 'known-modules.mjs')}`,
];
