import { stripVTControlCharacters } from 'node:util';

/** Control characters, which could move the cursor: a repository decides what a build prints. */
// oxlint-disable-next-line no-control-regex -- that is the point
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Prints what the runner does, one line for each event. */
export class Terminal {
  constructor(private readonly out: NodeJS.WritableStream = process.stdout) {
    // No one reads the output: the runner continues.
    out.on('error', () => undefined);
  }

  line(text: string): void {
    const lines = printable(text).split('\n').join('\n         ');
    this.out.write(`${new Date().toTimeString().slice(0, 8)} ${lines}\n`);
  }

  /** A writer for the log of one job, whose lines begin with a prefix. */
  logOf(prefix: string): (bytes: Buffer) => void {
    const decoder = new TextDecoder();
    let open = '';
    return (bytes) => {
      const lines = (open + decoder.decode(bytes, { stream: true })).split('\n');
      open = (lines.pop() ?? '').slice(-16_384);
      if (lines.length > 0) this.out.write(lines.map((line) => `${prefix} | ${printable(line)}\n`).join(''));
    };
  }
}

function printable(text: string): string {
  return stripVTControlCharacters(text).replaceAll(controls, '');
}
