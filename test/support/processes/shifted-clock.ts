/** The option of Node.js that sets the clock of a process ahead. @param ahead milliseconds; negative: behind */
export function shiftedClock(ahead: number): string {
  return clockOf(`const ahead = ${ahead};`);
}

/**
 * As `shiftedClock`, but the milliseconds are read from a file: at the start, and again whenever the process gets
 * `SIGUSR2`.
 */
export function movableClock(file: string): string {
  return clockOf(`
    import { readFileSync } from 'node:fs';
    let ahead = 0;
    const read = () => (ahead = Number(readFileSync(${JSON.stringify(file)}, 'utf8')));
    process.on('SIGUSR2', read);
    read();`);
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
