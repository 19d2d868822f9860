import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Entry, fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import type { StepError } from '../../../steps/build-run.js';
import { copyWithoutSignatures, centralHeader, endRecord, localHeader } from './copy-without-signatures.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-spec-'));
});
afterEach(() => rm(folder, { recursive: true }));

type Content = readonly (readonly [path: string, content: string, compress?: boolean])[];

function zipOf(content: Content): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, text, compress = true] of content) {
    zip.addBuffer(Buffer.from(text), path, { compress, mode: 0o100640 });
  }
  zip.end();
  return buffer(zip.outputStream);
}

async function copy(bytes: Buffer, signal = new AbortController().signal): Promise<Buffer> {
  await writeFile(join(folder, 'in'), bytes);
  await copyWithoutSignatures(join(folder, 'in'), join(folder, 'out'), signal);
  return readFile(join(folder, 'out'));
}

/** A zip of many files, which a library would take long to write. */
function emptyFiles(count: number): Buffer {
  const records = Array.from({ length: count }, (_, index) => ({
    versionMadeBy: 0,
    versionNeededToExtract: 10,
    generalPurposeBitFlag: 0,
    compressionMethod: 0,
    lastModFileTime: 0,
    lastModFileDate: 33,
    crc32: 0,
    compressedSize: 0,
    uncompressedSize: 0,
    externalFileAttributes: 0,
    fileNameRaw: Buffer.from(`f/${String(index).padStart(6, '0')}`),
  })) as Entry[];
  const headers = records.map((entry) => localHeader(entry));
  const length = headers[0]?.length ?? 0;
  const directory = Buffer.concat(records.map((entry, index) => centralHeader(entry, index * length)));
  return Buffer.concat([...headers, directory, endRecord(count, count * length, directory.length)]);
}

/** What must stay of an entry, and its packed bytes. */
async function entriesOf(bytes: Buffer): Promise<Map<string, unknown>> {
  const zip = await fromBufferPromise(bytes);
  const entries = new Map<string, unknown>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, await factsOf(entry));
  return entries;

  async function factsOf(entry: Entry): Promise<unknown> {
    const packed = await buffer(await zip.openReadStreamPromise(entry, { decodeFileData: false }));
    const { compressionMethod, crc32, uncompressedSize, externalFileAttributes, lastModFileTime } = entry;
    return [
      packed.toString('hex'),
      compressionMethod,
      crc32,
      uncompressedSize,
      externalFileAttributes,
      lastModFileTime,
    ];
  }
}

it('leaves out the files of signatures, and nothing else', async () => {
  const names = ['MANIFEST.MF', 'UPLOAD.SF', 'UPLOAD.RSA', 'a.dsa', 'B.Ec', 'SIG-C'];
  const others = [
    'META-INF/services/x.SF',
    'META-INF/MANIFEST.MF.txt',
    'META-INF/notes.rsa2',
    'base/META-INF/A.SF',
  ];
  const signed = [...names.map((name) => `META-INF/${name}`), 'meta-inf/other.sf'];
  const copied = await copy(await zipOf([...signed, ...others].map((path) => [path, path] as const)));
  expect([...(await entriesOf(copied)).keys()]).toEqual(others);
});

it('keeps contents as they are packed, with their names, methods and attributes', async () => {
  const bytes = await zipOf([
    ['base/dex/classes.dex', 'x'.repeat(100_000)],
    ['base/lib/arm64-v8a/libshop.so', 'y'.repeat(100_000), false],
    ['base/assets/große/日本.txt', 'z'],
    ['base/assets/empty', ''],
  ]);
  expect(await entriesOf(await copy(bytes))).toEqual(await entriesOf(bytes));
});

describe('refuses', () => {
  const renamed = async (from: string, to: string): Promise<Buffer> => {
    const bytes = await zipOf([
      ['base/a', 'x'],
      [from, 'y'],
    ]);
    return Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1');
  };
  const hostile: readonly (readonly [string, () => Promise<Buffer>, string])[] = [
    ['what is no zip', () => Promise.resolve(Buffer.from('PK')), 'cannot be read as a zip'],
    ['an empty zip', () => zipOf([]), 'is refused because it is empty'],
    ['a truncated zip', async () => (await zipOf([['a', 'x']])).subarray(0, -30), 'cannot be read as a zip'],
    ['a path out of it', () => renamed('aa/evil', '../evil'), '"../evil" is not a path inside the zip'],
    ['an absolute path', () => renamed('aa/evil', '/a/evil'), '"/a/evil" is not a path inside the zip'],
    ['two files of one name', () => renamed('base/b', 'base/a'), 'has "base/a" twice'],
    [
      'more entries than a zip without ZIP64 can have',
      () => Promise.resolve(emptyFiles(65_535)),
      'has more than 65534 entries',
    ],
    [
      'entries that share their content',
      async () => {
        const bytes = await zipOf([
          ['base/a', 'x'.repeat(50)],
          ['base/b', 'x'.repeat(50)],
        ]);
        const second = bytes.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'));
        bytes.writeUInt32LE(0, second + 42);
        return bytes;
      },
      'overlaps with another entry',
    ],
    [
      'an entry whose content is somewhere else',
      async () => {
        const bytes = await zipOf([['base/a', 'x']]);
        bytes.write('XX', 0);
        return bytes;
      },
      'cannot be read as a zip',
    ],
    [
      'an encrypted entry',
      async () => {
        const bytes = await zipOf([['base/a', 'x']]);
        const entry = bytes.indexOf(Buffer.from('PK\x01\x02', 'latin1'));
        bytes.writeUInt16LE(bytes.readUInt16LE(entry + 8) | 1, entry + 8);
        return bytes;
      },
      'is encrypted',
    ],
    [
      'an entry that claims to unpack to gigabytes',
      async () => {
        const two = await zipOf([
          ['base/a', 'x'],
          ['base/b', 'x'],
        ]);
        for (let at = two.indexOf('PK\x01\x02'); at !== -1; at = two.indexOf('PK\x01\x02', at + 1)) {
          two.writeUInt32LE(0xfffffff0, at + 24);
        }
        return two;
      },
      'it unpacks to more than',
    ],
  ];

  it.each(hostile)('%s', async (_name, make, message) => {
    const error = (await copy(await make()).catch((thrown: unknown) => thrown)) as StepError;
    expect([error.step, error.message]).toEqual(['sign', expect.stringMatching(/^The app bundle [^\n]*\.$/)]);
    expect(error.message).toContain(message);
  });
});

it('ends with the signal', async () => {
  const reason = new Error('The job was canceled.');
  await expect(copy(await zipOf([['a', 'x']]), AbortSignal.abort(reason))).rejects.toBe(reason);
});
