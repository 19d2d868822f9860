import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';
import { temporaryFolder } from '../support/processes/temporary-folders.js';

const BUILT = join(import.meta.dirname, '../../dist/src/runner/steps/source/archive-source.js');
type Unpack = typeof import('../../src/runner/steps/source/archive-source.js').unpackInProcess;

const CENTRAL_HEADER = 0x02014b50;
const never = new AbortController().signal;

async function unpack(bytes: Buffer, signal = never, deadlineMs?: number): Promise<string[]> {
  const { unpackInProcess } = (await import(pathToFileURL(BUILT).href)) as { unpackInProcess: Unpack };
  const root = await temporaryFolder();
  await writeFile(join(root, 'a.zip'), bytes);
  await mkdir(join(root, 'repo'));
  await unpackInProcess(join(root, 'a.zip'), join(root, 'repo'), signal, deadlineMs);
  return readdir(join(root, 'repo'), { recursive: true });
}

async function zip(files: readonly (readonly [path: string, content: Buffer])[]): Promise<Buffer> {
  const file = new yazl.ZipFile();
  for (const [path, content] of files) file.addBuffer(content, path);
  file.end();
  return buffer(file.outputStream);
}

/** A zip that consists of a directory only. */
function directoryOf(count: number): Buffer {
  const name = 9;
  const size = 46 + name;
  const bytes = Buffer.alloc(count * size + 56 + 20 + 22);
  for (let index = 0; index < count; index++) {
    const at = index * size;
    bytes.writeUInt32LE(CENTRAL_HEADER, at);
    bytes.writeUInt16LE(name, at + 28);
    bytes.write(String(index).padStart(name, '0'), at + 46, 'latin1');
  }
  const end = count * size;
  // Zip64 end of central directory (APPNOTE, 4.3.14), its locator (4.3.15), and the old one (4.3.16).
  bytes.writeUInt32LE(0x06064b50, end);
  bytes.writeBigUInt64LE(44n, end + 4);
  bytes.writeBigUInt64LE(BigInt(count), end + 24);
  bytes.writeBigUInt64LE(BigInt(count), end + 32);
  bytes.writeBigUInt64LE(BigInt(end), end + 40);
  bytes.writeUInt32LE(0x07064b50, end + 56);
  bytes.writeBigUInt64LE(BigInt(end), end + 64);
  bytes.writeUInt32LE(1, end + 72);
  bytes.writeUInt32LE(0x06054b50, end + 76);
  bytes.fill(0xff, end + 84, end + 96);
  return bytes;
}

/** Says of every entry that it unpacks to 1 GiB. */
function inflated(bytes: Buffer): Buffer {
  for (
    let at = bytes.indexOf('PK\x01\x02', 'latin1');
    at >= 0;
    at = bytes.indexOf('PK\x01\x02', at + 1, 'latin1')
  ) {
    bytes.writeUInt32LE(1024 ** 3, at + 24);
  }
  return bytes;
}

describe('the process that unpacks sources', () => {
  it('unpacks', async () => {
    expect(await unpack(await zip([['a/b', Buffer.from('x')]]))).toEqual(['a', 'a/b']);
  });

  it.each<[string, () => Promise<Buffer>, RegExp]>([
    ['a million entries', () => Promise.resolve(directoryOf(1_000_000)), /it has 1000000 entries/],
    [
      'more than 4 GiB',
      async () => inflated(await zip(['a', 'b', 'c', 'd', 'e'].map((path) => [path, Buffer.alloc(10)]))),
      /unpacks to more than the 4294967296 bytes/,
    ],
    ['nothing', () => Promise.resolve(directoryOf(0)), /empty|cannot be read/],
  ])('refuses %s', async (_case, bytes, message) => {
    await expect(unpack(await bytes())).rejects.toMatchObject({
      step: 'source',
      message: expect.stringMatching(message),
    });
  });

  it('is killed when it takes too long, and when the job ends', async () => {
    const large = await zip([['zeros', Buffer.alloc(200 * 1024 ** 2)]]);
    await expect(unpack(large, never, 1)).rejects.toMatchObject({
      step: 'source',
      message: 'The zip of the source takes too much time or memory to unpack.',
    });
    const stop = new AbortController();
    const unpacking = unpack(large, stop.signal);
    setTimeout(() => stop.abort(new Error('canceled')), 30);
    await expect(unpacking).rejects.toThrow('canceled');
  });
});
