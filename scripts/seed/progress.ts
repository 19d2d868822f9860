import { styleText } from 'node:util';

const WIDTH = 30;

/** Reported after each batch: what is written, how many there are by now, and how many it will be. */
export type Progress = (what: string, done: number, total: number) => void;

/** A bar that moves in a terminal; elsewhere a line when something is complete. */
export function printedProgress(out: NodeJS.WriteStream): Progress {
  return (what, done, total) => {
    const label = `${what.padEnd(14)} ${done.toLocaleString('en')}`;
    if (out.isTTY) {
      const filled = Math.round((WIDTH * done) / total);
      const bar = styleText('green', '━'.repeat(filled)) + styleText('dim', '━'.repeat(WIDTH - filled));
      out.write(`\r${bar} ${label}${done < total ? '' : '\n'}`);
    } else if (done >= total) {
      out.write(`${label}\n`);
    }
  };
}
