import { cleanShortText, cleanLines, MAX_OPEN_LINE } from '../../common/secrets/clean-lines.js';
import type { SecretMasker } from '../../common/secrets/secret-masker.js';
import type { BuildLog } from '../steps/build-run.js';
import type { LogSpool } from './log-spool.js';

const lineFeed = Buffer.from('\n');
/** So much is cleaned at once, in bytes: each line takes hundreds in memory, and it can have as many lines as bytes. */
const PIECE = 4096;

/**
 * Replaces secrets in a stream of bytes, and leaves only colors of the sequences of terminals, wherever its chunks end. It
 * holds back the line that has no end yet. No secret continues behind the end of its line.
 */
export class MaskStream {
  /** The line, copied: a chunk of a few bytes takes hundreds in memory, and a build can print many. */
  private readonly held = Buffer.alloc(MAX_OPEN_LINE);
  private heldLength = 0;

  constructor(private readonly masker: SecretMasker) {}

  /** @returns what can continue, masked */
  push(chunk: Buffer): Buffer {
    const masked: Buffer[] = [];
    for (let start = 0; start < chunk.length; start += PIECE) {
      masked.push(this.pushPiece(chunk.subarray(start, start + PIECE)));
    }
    return Buffer.concat(masked);
  }

  private pushPiece(chunk: Buffer): Buffer {
    const isOpen = this.heldLength + chunk.length < MAX_OPEN_LINE && !chunk.includes(LINE_FEED);
    if (!isOpen) return this.take(chunk, false);
    this.hold(chunk);
    return Buffer.alloc(0);
  }

  /** @returns what was held back, masked */
  end(): Buffer {
    return this.take(Buffer.alloc(0), true);
  }

  private hold(bytes: Buffer): void {
    this.heldLength += bytes.copy(this.held, this.heldLength);
  }

  private take(chunk: Buffer, isEnd: boolean): Buffer {
    const bytes = Buffer.concat([this.held.subarray(0, this.heldLength), chunk]);
    const { lines, rest } = cleanLines(bytes, this.masker, isEnd);
    this.heldLength = 0;
    this.hold(rest);
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
