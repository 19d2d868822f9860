import { Readable } from 'node:stream';
import { endWithoutParent } from '../../common/process/end-without-parent.js';
import type { ByteRange } from '../../storage/object-storage.js';
import { type ProcessMessage, type ReaderRequest, type ServerMessage, MAX_RANGE_BYTES } from './messages.js';
import { findDevice, readArtifact } from './read-artifact.js';

/** The file that the process reads: the server has it, and sends the parts that are asked for. */
class ServerFile {
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

/*
 * A separate program, which `ArtifactReaderService` starts: reads one artifact and ends. It asks the server for the
 * parts of the file that it needs, and can reach nothing else.
 */
endWithoutParent(90_000);

const send = (message: ProcessMessage, sent?: () => void): void => {
  process.send?.(message, undefined, undefined, sent);
};
const file = new ServerFile(send);

process.once('message', ({ type, sizeInBytes, udid }: ReaderRequest) => {
  process.on('message', (message: ServerMessage) => file.receive(message));
  const reading =
    udid === null
      ? readArtifact(type, sizeInBytes, file.openRange)
      : findDevice(udid, sizeInBytes, file.openRange);
  void reading.then((result) => send(result, () => process.disconnect()));
});
