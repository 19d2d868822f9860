/**
 * How the agent has commands run in the other container of its pod: one connection of a Unix socket for each. The agent
 * sends one line of JSON. Of a command it gets frames: a letter, the length of the content in four bytes, the content. When
 * the agent ends its side, the command is killed.
 */

/** A command, as it is sent. */
export interface RunRequest {
  readonly run: {
    readonly command: readonly string[];
    /** An absolute path. */
    readonly cwd: string;
    /** Its environment. The container adds `PATH` and a few others where they are absent. */
    readonly env: Readonly<Record<string, string>>;
  };
}

/** The agent is there. The command server ends with this connection, and so does the container. */
export interface HoldRequest {
  readonly hold: true;
}

export type SocketRequest = RunRequest | HoldRequest;

/** How a command ended. The content of the last frame, as JSON. */
export interface RunEnd {
  readonly exitCode: number;
  /** The system has killed processes of the container for their memory. */
  readonly outOfMemory: boolean;
}

/** `o`: output; `e`: the end, a {@link RunEnd}; `h`: what the server answers to a hold, without content. */
export type FrameType = 'o' | 'e' | 'h';

const HEADER = 5;
/** Longest content of a frame that is accepted, in bytes: a pipe delivers less. */
const MAX_CONTENT = 1024 * 1024;

export function frame(type: FrameType, content: Uint8Array): Buffer {
  const header = Buffer.alloc(HEADER);
  header.write(type, 'latin1');
  header.writeUInt32BE(content.length, 1);
  return Buffer.concat([header, content]);
}

/** Puts frames together from the chunks of a connection. */
export class FrameReader {
  private rest: Buffer = Buffer.alloc(0);

  /** @throws Error when it is no frame: the other side does not speak this protocol */
  *read(chunk: Buffer): Generator<{ readonly type: FrameType; readonly content: Buffer }> {
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    while (this.rest.length >= HEADER) {
      const type = this.rest.toString('latin1', 0, 1);
      const length = this.rest.readUInt32BE(1);
      if (!['o', 'e', 'h'].includes(type) || length > MAX_CONTENT) {
        throw new Error('The build container sent something else than the output of a command.');
      }
      if (this.rest.length < HEADER + length) return;
      const content = this.rest.subarray(HEADER, HEADER + length);
      this.rest = this.rest.subarray(HEADER + length);
      yield { type: type as FrameType, content };
    }
  }
}
