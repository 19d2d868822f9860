import type { ChildProcess } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { eventually } from '../eventually.js';

/** The option of Node.js that sets the clock of a process ahead. @param ahead milliseconds; negative: behind */
export function shiftedClock(ahead: number): string {
  return clockOf(`const ahead = ${ahead};`);
}

/** The clock of one process at a time, which is started with the option. */
export class MovableClock {
  private ahead = 0;

  /** @param file has the milliseconds by which the clock is ahead */
  constructor(private readonly file: string) {
    writeFileSync(file, '0');
  }

  /** The option of Node.js. The process reads the file at its start, and again whenever it gets `SIGUSR2`. */
  get option(): string {
    return clockOf(`
      import { readFileSync, writeFileSync } from 'node:fs';
      const file = ${JSON.stringify(this.file)};
      let ahead = 0;
      const read = () => {
        ahead = Number(readFileSync(file, 'utf8'));
        writeFileSync(file + '.read', String(ahead));
      };
      process.on('SIGUSR2', read);
      read();`);
  }

  /** What the process takes for the present, in Unix milliseconds. */
  now(): number {
    return Date.now() + this.ahead;
  }

  /** Moves the clock ahead, and waits until the process has the new time. */
  async move(milliseconds: number, process: ChildProcess): Promise<void> {
    this.ahead += milliseconds;
    writeFileSync(`${this.file}.new`, String(this.ahead));
    renameSync(`${this.file}.new`, this.file);
    process.kill('SIGUSR2');
    await eventually(() => expect(readFileSync(`${this.file}.read`, 'utf8')).toBe(String(this.ahead)));
  }
}

function clockOf(ahead: string): string {
  const script = `${ahead}
    const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...values) {
        if (values.length === 0) super(Real.now() + ahead);
        else super(...values);
      }
      static now() { return Real.now() + ahead; }
    };`;
  return `--import=data:text/javascript,${encodeURIComponent(script)}`;
}
