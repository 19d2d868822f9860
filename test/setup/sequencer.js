import { join, relative } from 'node:path';
import Sequencer from '@jest/test-sequencer';
import { SECONDS } from './test-sets.ts';

const root = join(import.meta.dirname, '../..');

/** Begins with what takes longest, also in a fresh checkout, so that nothing long is left for the end. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const secondsOf = ({ path }) => SECONDS[relative(root, path)] ?? 0;
    return super.sort(tests).toSorted((a, b) => secondsOf(b) - secondsOf(a));
  }
}
