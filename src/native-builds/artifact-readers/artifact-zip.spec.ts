import { deflateRawSync } from 'node:zlib';
import { zipOfEntries } from '../../../test/support/native-builds/android/zip-of-entries.js';
import { makeApk } from '../../../test/support/native-builds/apk-writer.js';
import { readBytes } from '../../../test/support/native-builds/read-bytes.js';
import { ArtifactZip } from './artifact-zip.js';
import { Readable } from 'node:stream';

const MANIFEST = 'AndroidManifest.xml';
const DIRECTORY_ENTRY = Buffer.from('PK\x01\x02');

/** Changes the entry of a path in the list of a zip. */
function changeEntry(zip: Buffer, path: string, change: (entry: Buffer) => void): Buffer {
  for (let at = zip.indexOf(DIRECTORY_ENTRY); at !== -1; at = zip.indexOf(DIRECTORY_ENTRY, at + 4)) {
    const length = zip.readUInt16LE(at + 28);
    if (zip.toString('latin1', at + 46, at + 46 + length) === path) change(zip.subarray(at));
  }
  return zip;
}

const open = (bytes: Buffer): Promise<ArtifactZip> =>
  ArtifactZip.open(
    ({ start, length }) => Promise.resolve(Readable.from([bytes.subarray(start, start + length)])),
    bytes.length,
  );

describe('a hostile zip', () => {
  it('with a path twice is refused, also when it is not the one that is read', async () => {
    const apk = await makeApk({
      entries: { 'AndroidManifest.xmm': Buffer.from('x'), 'a/b': Buffer.from(''), 'a/c': Buffer.from('') },
    });
    const twice = changeEntry(Buffer.from(apk), 'AndroidManifest.xmm', (entry) => entry.write('l', 46 + 18));
    expect(await readBytes('apk', twice)).toEqual({ problem: `it has ${MANIFEST} twice` });
    const other = changeEntry(Buffer.from(apk), 'a/c', (entry) => entry.write('b', 46 + 2));
    expect(await readBytes('apk', other)).toEqual({ problem: 'it has a/b twice' });
  });

  it('with a manifest that is encrypted, or packed otherwise, is refused', async () => {
    const encrypted = changeEntry(await makeApk(), MANIFEST, (entry) => entry.writeUInt16LE(1, 8));
    expect(await readBytes('apk', encrypted)).toEqual({
      problem: `${MANIFEST} is encrypted: pack again without a password`,
    });
    const packed = changeEntry(await makeApk(), MANIFEST, (entry) => entry.writeUInt16LE(12, 10));
    expect(await readBytes('apk', packed)).toEqual({
      problem: `${MANIFEST} is packed with bzip2 (method 12): pack again with deflate`,
    });
  });

  it('with entries that nothing reads is read, and says so', async () => {
    const entries = { 'a/b': Buffer.from('x'), 'a/c': Buffer.from('x') };
    const packed = changeEntry(await makeApk({ entries }), 'a/b', (entry) => entry.writeUInt16LE(14, 10));
    expect(await readBytes('apk', packed)).toMatchObject({
      facts: { packageName: 'com.example.app' },
      remark: 'a/b is packed with LZMA (method 14): pack again with deflate',
    });
    const encrypted = changeEntry(packed, 'a/c', (entry) => entry.writeUInt16LE(1, 8));
    expect(await readBytes('apk', encrypted)).toMatchObject({
      remark:
        'a/b is packed with LZMA (method 14): pack again with deflate (1 more entries cannot be read either)',
    });
    expect(await readBytes('apk', await makeApk({ entries }))).toMatchObject({ remark: null });
  });

  it('with backslashes is refused with their cause', async () => {
    const name = 'Payload\\Shop.app\\Info.plist';
    const zip = await zipOfEntries({ [name.replaceAll('\\', '|')]: Buffer.from('x') });
    const renamed = Buffer.from(zip.toString('latin1').replaceAll('|', '\\'), 'latin1');
    expect(await readBytes('ipa', renamed)).toEqual({
      problem: `${name} has a backslash: it was packed on Windows by an old program; pack again with 7-Zip or PowerShell 7`,
    });
  });

  it('with a manifest that unpacks to more than 1 MiB is refused without unpacking it', async () => {
    const entries = { [MANIFEST]: Buffer.alloc(1024 * 1024 + 1) };
    expect(await readBytes('apk', await makeApk({ entries }))).toEqual({
      problem: `${MANIFEST} is larger than 1048576 bytes`,
    });
  });

  it.each([
    ['smaller', 24, 100],
    ['larger', 24, 900_000],
    ['of another checksum', 16, 1],
  ])('that lies about its manifest is refused: it is %s', async (_how, field, value) => {
    const lying = changeEntry(
      await makeApk({ entries: { [MANIFEST]: Buffer.alloc(1000) } }),
      MANIFEST,
      (entry) => entry.writeUInt32LE(value, field),
    );
    expect(await readBytes('apk', lying)).toEqual({ problem: `${MANIFEST} is damaged` });
  });

  it('with entries that overlap gives only what is asked for', async () => {
    const zip = await zipOfEntries({ a: Buffer.alloc(500_000, 'a'), b: Buffer.from('b') });
    let offset = 0;
    changeEntry(zip, 'a', (entry) => (offset = entry.readUInt32LE(42)));
    const overlapping = await open(changeEntry(zip, 'b', (entry) => entry.writeUInt32LE(offset, 42)));
    expect((await overlapping.read('a', 1_000_000)).length).toBe(500_000);
    await expect(overlapping.read('b', 1_000_000)).rejects.toThrow('b is damaged');
  });

  it('is refused where it ends too early, anywhere', async () => {
    const apk = await makeApk({ signed: 'v2' });
    for (let length = 0; length < apk.length; length += 97) {
      expect(await readBytes('apk', apk.subarray(0, length))).toEqual({ problem: expect.any(String) });
    }
  });

  it('with thousands of zips in it is not unpacked further', async () => {
    const inner = await zipOfEntries({ bomb: Buffer.alloc(10_000_000) });
    const names = Array.from({ length: 3000 }, (_, index) => [`assets/${index}.zip`, inner] as const);
    expect(await readBytes('apk', await makeApk({ entries: Object.fromEntries(names) }))).toMatchObject({
      facts: { packageName: 'com.example.app' },
    });
  });

  it('says nothing of names that could be read as a part of the sentence', async () => {
    const name = 'x is fine.\nThe file';
    const zip = await zipOfEntries({ [name]: Buffer.from('x'), [`${name}s`]: Buffer.from('x') });
    const longer = Buffer.from(zip);
    changeEntry(longer, name, (entry) => entry.writeUInt32LE(77, 16));
    await expect((await open(longer)).read(name, 10)).rejects.toThrow(/^an entry is damaged$/);
  });

  it('with more than 100,000 entries is refused by their number', async () => {
    const zip = await zipOfEntries({ a: Buffer.from('') });
    const end = zip.lastIndexOf(Buffer.from('PK\x05\x06'));
    const number = Buffer.alloc(4, 0xff);
    number.copy(zip, end + 8);
    // Numbers above 65,535 are in the record of zip64 before the end.
    const record = Buffer.alloc(76);
    record.write('PK\x06\x06', 0, 'latin1');
    record.writeBigUInt64LE(44n, 4);
    record.writeBigUInt64LE(100_001n, 24);
    record.writeBigUInt64LE(100_001n, 32);
    record.writeBigUInt64LE(46n, 40);
    record.write('PK\x06\x07', 56, 'latin1');
    record.writeBigUInt64LE(BigInt(end), 64);
    record.writeUInt32LE(1, 72);
    const large = Buffer.concat([zip.subarray(0, end), record, zip.subarray(end)]);
    await expect(open(large)).rejects.toThrow('it has 100001 entries, and at most 100000 are allowed');
  });

  it('may have an entry that is packed badly', async () => {
    const noise = deflateRawSync(Buffer.alloc(100_000, 'noise'));
    const zip = await open(await zipOfEntries({ noise }, false));
    expect(await zip.read('noise', 1000)).toEqual(noise);
  });
});
