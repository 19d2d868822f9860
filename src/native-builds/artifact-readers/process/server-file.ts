import { Readable } from 'node:stream';
import type { ByteRange } from '../../../storage/object-storage.js';
import { MAX_RANGE_BYTES, type ServerMessage } from './messages.js';

/** The file that the process reads: the server has it, and sends the parts that are asked for. */
export class ServerFile {
  private lastId = 0;
  private readonly waiting = new Map<number, (bytes: Buffer) => void>();

  /** @param ask sends a request to the server */
  constructor(private readonly ask: (request: { rangeId: number; range: ByteRange }) => void) {}

  readonly openRange = (range: ByteRange): Promise<Readable> =>
    Promise.resolve(Readable.from(this.chunks(range), { objectMode: false }));

  receive(message: ServerMessage): void {
    if (!('rangeId' in message)) return;
    this.waiting.get(message.rangeId)?.(Buffer.from(message.bytes));
    this.waiting.delete(message.rangeId);
  }

  private async *chunks({ start, length }: ByteRange): AsyncGenerator<Buffer> {
    for (let at = start; at < start + length;) {
      const range = { start: at, length: Math.min(MAX_RANGE_BYTES, start + length - at) };
      const chunk = await new Promise<Buffer>((resolve) => {
        this.waiting.set(++this.lastId, resolve);
        this.ask({ rangeId: this.lastId, range });
      });
      if (chunk.length !== range.length) throw new RangeError('The file ends too early.');
      yield chunk;
      at += chunk.length;
    }
  }
}
