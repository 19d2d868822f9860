import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { RefusedError, send } from './runner-api.ts';

/** Bytes of one request. */
const PIECE = 64 * 1024;
/** Milliseconds between two requests while there is output. */
const INTERVAL = 100;

/** Sends the log of one job in order, by offsets. */
export class JobLogSender {
  private readonly pieces: Buffer[] = [];
  /** Bytes that were written. */
  length = 0;
  private sent = 0;
  private isClosed = false;
  private readonly done: Promise<void>;

  private readonly origin: string;
  private readonly token: string;

  constructor(origin: string, token: string) {
    this.origin = origin;
    this.token = token;
    this.done = this.run();
    this.done.catch(() => undefined);
  }

  write(chunk: Buffer | string): void {
    const bytes = Buffer.from(chunk);
    this.pieces.push(bytes);
    this.length += bytes.length;
  }

  /** Waits until everything has arrived. */
  async end(): Promise<void> {
    this.isClosed = true;
    await this.done;
  }

  private async run(): Promise<void> {
    for (;;) {
      const all = Buffer.concat(this.pieces);
      if (this.sent < all.length) await this.sendPiece(all.subarray(this.sent, this.sent + PIECE));
      else if (this.isClosed) return;
      else await sleep(INTERVAL);
    }
  }

  private async sendPiece(piece: Buffer): Promise<void> {
    try {
      const response = await send(this.origin, {
        method: 'PATCH',
        path: '/v1/runner/job/log',
        token: this.token,
        headers: {
          'content-type': 'text/plain',
          'content-encoding': 'gzip',
          'upload-offset': String(this.sent),
        },
        body: gzipSync(piece),
      });
      this.sent = Number(response.headers.get('upload-offset'));
    } catch (error) {
      // The server says where to go on.
      if (!(error instanceof RefusedError) || error.status !== 409) throw error;
      this.sent = Number(error.headers.get('upload-offset'));
    }
  }
}
