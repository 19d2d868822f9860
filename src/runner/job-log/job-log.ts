import { cleanShortText } from '../../common/secrets/clean-lines.js';
import type { SecretMasker } from '../../common/secrets/secret-masker.js';
import type { BuildLog } from '../steps/build-run.js';
import type { LogSpool } from './log-spool.js';
import { MaskStream } from './mask-stream.js';
import { runnerLine, withoutMark } from './runner-mark.js';

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
