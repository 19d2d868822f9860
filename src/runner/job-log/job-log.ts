import { cleanShortText, cleanLines, MAX_OPEN_LINE } from '../../common/secrets/clean-lines.js';
import type { SecretMasker } from '../../common/secrets/secret-masker.js';
import type { BuildLog } from '../steps/build-run.js';
import type { LogSpool } from './log-spool.js';

const lineFeed = Buffer.from('\n');

/**
 * Replaces secrets in a stream of bytes, and leaves only colors of the sequences of terminals, wherever its chunks end. It
 * holds back the line that has no end yet. No secret continues behind the end of its line.
 */
export class MaskStream {
  private held: Buffer[] = [];
  private heldLength = 0;

  constructor(private readonly masker: SecretMasker) {}

  /** @returns what can continue, masked */
  push(chunk: Buffer): Buffer {
    this.held.push(chunk);
    this.heldLength += chunk.length;
    // A line that arrives byte by byte is not copied for each of them.
    const isOpen = this.heldLength < MAX_OPEN_LINE && !chunk.includes(LINE_FEED);
    return isOpen ? Buffer.alloc(0) : this.take(false);
  }

  /** @returns what was held back, masked */
  end(): Buffer {
    return this.take(true);
  }

  private take(isEnd: boolean): Buffer {
    const { lines, rest } = cleanLines(Buffer.concat(this.held), this.masker, isEnd);
    // A copy, so that a short rest does not keep a long chunk in memory.
    this.held = rest.length === 0 ? [] : [Buffer.from(rest)];
    this.heldLength = rest.length;
    return Buffer.concat(lines.flatMap(({ bytes, endsLine }) => (endsLine ? [bytes, lineFeed] : [bytes])));
  }
}

/** What lines of the runner begin with: commands cannot print it, so they cannot print such lines. */
const RUNNER_MARK = '§ ';

/** The character of the mark, as bytes in a text of Latin-1, and what represents it elsewhere. */
const CHARACTER = Buffer.from('§').toString('latin1');
const ESCAPED = String.raw`\u00a7`;

const LINE_FEED = 10;
/** Of the bytes that the API keeps, one of so many is for lines of the runner, and for what the API adds. */
const RESERVED = 20;

/** How the log of a job is written. */
export interface JobLogOptions {
  /** Bytes that the API keeps. */
  readonly maxBytes: number;
  /** Called with every chunk that a command prints. */
  readonly onOutput: () => void;
  /** Gets the masked log, for the terminal. */
  readonly onMasked: (bytes: Buffer) => void;
}

/** The log of a job: masked, with a mark before lines of the runner, and only as much of it as the API keeps. */
export class JobLog implements BuildLog {
  private readonly stream: MaskStream;
  /** Most bytes that commands may print. */
  private readonly limit: number;
  private dropped = 0;
  private endsLine = true;
  private hasEnded = false;

  constructor(
    private readonly spool: LogSpool,
    private readonly masker: SecretMasker,
    private readonly options: JobLogOptions,
  ) {
    this.stream = new MaskStream(masker);
    this.limit = options.maxBytes - Math.ceil(options.maxBytes / RESERVED);
  }

  write(chunk: Buffer): void {
    if (this.hasEnded) return;
    this.options.onOutput();
    if (chunk.length === 0) return;
    if (this.dropped > 0) {
      // Masking what no one reads would take a core.
      this.dropped += chunk.length;
      return;
    }
    const masked = withoutMark(this.stream.push(chunk));
    const room = this.limit - this.spool.length;
    this.keep(masked.subarray(0, Math.max(0, room)));
    this.endsLine = chunk.at(-1) === LINE_FEED;
    if (masked.length <= room) return;
    this.dropped = masked.length - Math.max(0, room);
    this.keep(Buffer.from('\n'));
    this.keep(runnerLine(tooLong(this.limit)));
    this.endsLine = true;
  }

  line(text: string): void {
    if (this.hasEnded) return;
    if (this.dropped === 0 && !this.endsLine) this.keep(withoutMark(this.stream.push(Buffer.from('\n'))));
    this.keep(runnerLine(cleanShortText(text, this.masker)));
    this.endsLine = true;
  }

  /** Adds what was held back. What a build writes afterwards, because it does not stop, is left out. */
  end(): void {
    const dropped = this.dropped;
    if (dropped > 0) {
      this.stream.end();
      this.line(`${dropped.toLocaleString('en')} bytes of output were not kept.`);
    } else {
      this.keep(withoutMark(this.stream.end()));
    }
    this.hasEnded = true;
  }

  private keep(bytes: Buffer): void {
    // Lines of the runner are few, but a message can contain what a repository says.
    const kept = bytes.subarray(0, Math.max(0, this.options.maxBytes - this.spool.length));
    if (kept.length === 0) return;
    this.spool.append(kept);
    this.options.onMasked(kept);
  }
}

function tooLong(limit: number): string {
  return `The output is longer than ${limit.toLocaleString('en')} bytes: the rest is not kept.`;
}

/** Escapes the mark in what a command has printed. */
function withoutMark(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  return text.includes(CHARACTER) ? Buffer.from(text.replaceAll(CHARACTER, ESCAPED), 'latin1') : bytes;
}

/** A line of the runner. @param text may contain what a repository says: it becomes one line */
function runnerLine(text: string): Buffer {
  const line = withoutMark(Buffer.from(text.replaceAll(/\s*[\r\n]+\s*/g, ' '))).toString();
  return Buffer.from(`${RUNNER_MARK}${line}\n`);
}
