import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const MIB = 1024 * 1024;

/** A file that is sent without ever being in memory: one buffer, again and again, with a number in front. */
export interface Content {
  readonly size: number;
  readonly sha256: string;
  chunks(start?: number, end?: number): Generator<Buffer>;
}

const block = randomBytes(MIB);

/** A file of so many bytes, another one for each number. */
export function content(size: number, number: number): Content {
  const head = Buffer.from(`${number}`.padStart(16));
  function* chunks(start = 0, end = size): Generator<Buffer> {
    for (let at = start; at < end;) {
      const offset = at % MIB;
      const chunk = at < head.length ? head.subarray(at) : block.subarray(offset, offset + 64 * 1024);
      const piece = chunk.subarray(0, end - at);
      yield piece;
      at += piece.length;
    }
  }
  return described(size, chunks);
}

function described(size: number, chunks: Content['chunks']): Content {
  const hash = createHash('sha256');
  for (const chunk of chunks()) hash.update(chunk);
  return { size, sha256: hash.digest('hex'), chunks };
}

/** A zip that holds a file as it is, and an empty `index.html`. */
export function zipped(file: Content): Content {
  let sum = 0;
  for (const chunk of file.chunks()) sum = crc32(chunk, sum);
  const video = fieldsOfEntry('video.bin', sum, file.size);
  const index = fieldsOfEntry('index.html', 0, 0);
  const before = video.local;
  const indexAt = before.length + file.size;
  const directory = Buffer.concat([video.central(0), index.central(indexAt)]);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(2, 8);
  end.writeUInt16LE(2, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(indexAt + index.local.length, 16);
  const after = Buffer.concat([index.local, directory, end]);
  const size = indexAt + after.length;
  return described(size, function* chunks(from = 0, to = size) {
    yield before.subarray(from, Math.max(from, to));
    const within = (at: number): number => Math.min(Math.max(at - before.length, 0), file.size);
    yield* file.chunks(within(from), within(to));
    yield after.subarray(Math.max(from - indexAt, 0), Math.max(to - indexAt, 0));
  });
}

/** The two headers of a stored entry of a zip (APPNOTE, 4.3.7 and 4.3.12). */
function fieldsOfEntry(
  path: string,
  sum: number,
  size: number,
): { local: Buffer; central(at: number): Buffer } {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(10, 0);
  fields.writeUInt32LE(sum, 10);
  fields.writeUInt32LE(size, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(path.length, 22);
  const start = (signature: string): Buffer => Buffer.from(signature, 'hex');
  return {
    local: Buffer.concat([start('504b0304'), fields, Buffer.from(path)]),
    central: (at) => {
      const rest = Buffer.alloc(14);
      rest.writeUInt32LE(at, 10);
      return Buffer.concat([start('504b01021e03'), fields, rest, Buffer.from(path)]);
    },
  };
}
