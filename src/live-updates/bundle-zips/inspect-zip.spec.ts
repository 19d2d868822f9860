import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { constants, deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import yazl from 'yazl';
import { inspectZip } from './inspect-zip.js';
import { withFlags } from './utf8-flags.js';

type Options = Partial<yazl.Options> & { readonly zip64?: boolean; readonly fileComment?: string };

async function zip(files: Readonly<Record<string, string | Buffer>>, options: Options = {}): Promise<Buffer> {
  const { zip64 = false, ...others } = options;
  const file = new yazl.ZipFile();
  for (const [path, content] of Object.entries(files)) {
    if (path.endsWith('/')) file.addEmptyDirectory(path);
    else file.addBuffer(Buffer.from(content), path, { forceZip64Format: zip64, ...others } as yazl.Options);
  }
  file.end({ forceZip64Format: zip64 } as yazl.EndOptions);
  return buffer(file.outputStream);
}

/** Each stream comes from "storage" in small pieces; the number of reads is counted. */
function inspect(bytes: Buffer): Promise<string[]> & { reads(): number } {
  let reads = 0;
  const open = ({ start, length }: { start: number; length: number }): Promise<Readable> => {
    reads++;
    if (start + length > bytes.length) throw new RangeError('beyond the end');
    return Promise.resolve(
      Readable.from(pieces(bytes.subarray(start, start + length)), { objectMode: false }),
    );
  };
  const problems = inspectZip(open, bytes.length).then((inspection) => [...inspection.problems]);
  return Object.assign(problems, { reads: () => reads });
}

/** The codes of the warnings about a zip in which nothing is wrong. */
async function warningsOf(bytes: Buffer): Promise<string[]> {
  const { problems, warnings } = await inspectAll(bytes);
  expect(problems).toEqual([]);
  return warnings.map(({ code }) => code);
}

function inspectAll(bytes: Buffer): ReturnType<typeof inspectZip> {
  const open = ({ start, length }: { start: number; length: number }): Promise<Readable> =>
    Promise.resolve(Readable.from(pieces(bytes.subarray(start, start + length)), { objectMode: false }));
  return inspectZip(open, bytes.length);
}

function* pieces(bytes: Buffer, length = 50_000): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const LOCAL = Buffer.from('504b0304', 'hex');
const NOTHING = deflateRawSync('');
const CENTRAL = Buffer.from('504b0102', 'hex');

/** Changes the directory entry, and the header before the content, of the file of the given number. */
function patched(bytes: Buffer, change: (directory: Buffer, local: Buffer) => void, number = 0): Buffer {
  const copy = Buffer.from(bytes);
  let at = copy.indexOf(CENTRAL);
  for (let i = 0; i < number; i++) at = copy.indexOf(CENTRAL, at + 1);
  const local = copy.readUInt32LE(at + 42);
  change(copy.subarray(at), copy.subarray(local));
  return copy;
}

/** An entry whose content is packed already; empty unless given. */
interface RawEntry {
  readonly path: string;
  readonly content?: Buffer;
  readonly unpacked?: number;
}

/** Writes a zip with the given entries, in 64 bits. @param count number of entries that it claims to have, in 16 bits then */
function rawZip(entries: readonly RawEntry[], count?: number): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { path, content = NOTHING, unpacked = 0 } of entries) {
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(content.length, 14);
    fields.writeUInt32LE(unpacked, 18);
    fields.writeUInt16LE(path.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    locals.push(LOCAL, fields, Buffer.from(path), content);
    directory.push(CENTRAL, Buffer.from([20, 0]), fields, rest, Buffer.from(path));
    at += 30 + path.length + content.length;
  }
  const size = directory.reduce((total, { length }) => total + length, 0);
  const wide = Buffer.alloc(56 + 20);
  wide.writeUInt32LE(0x06064b50, 0);
  wide.writeUInt32LE(44, 4);
  wide.writeUInt32LE(entries.length, 24);
  wide.writeUInt32LE(entries.length, 32);
  wide.writeUInt32LE(size, 40);
  wide.writeUInt32LE(at, 48);
  wide.writeUInt32LE(0x07064b50, 56);
  wide.writeUInt32LE(at + size, 64);
  wide.writeUInt32LE(1, 72);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count ?? 0xffff, 8);
  end.writeUInt16LE(count ?? 0xffff, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, ...directory, ...(count === undefined ? [wide] : []), end]);
}

/** Replaces a name everywhere by another one of the same length. */
function renamed(bytes: Buffer, from: string, to: string): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1');
}

const site = { 'index.html': '<html>', 'assets/': '', 'assets/app.js': 'x'.repeat(1000) };

describe('inspectZip', () => {
  it.each<[string, Options]>([
    ['deflated', {}],
    ['stored', { compress: false }],
    ['zip64', { zip64: true }],
  ])('takes a zip of %s entries', async (_case, options) => {
    expect(await inspect(await zip(site, options))).toEqual([]);
  });

  it('takes an index.html in a folder, however deep', async () => {
    expect(await inspect(await zip({ 'www/browser/index.html': '<html>' }))).toEqual([]);
  });

  it('takes sizes that follow the content', async () => {
    const file = new yazl.ZipFile();
    file.addReadStream(Readable.from([Buffer.from('<html>')]), 'index.html');
    file.end();
    expect(await inspect(await buffer(file.outputStream))).toEqual([]);
  });

  it('takes a large file, and one after it', async () => {
    const content = Buffer.alloc(3_000_000, 'random enough? ');
    for (const compress of [true, false]) {
      expect(await inspect(await zip({ 'video.bin': content, 'index.html': 'x' }, { compress }))).toEqual([]);
    }
  });

  it('refuses comments of 64 KiB at hundreds of entries', async () => {
    const names = Array.from({ length: 520 }, (_, index) => `${index}.js`);
    const files = Object.fromEntries([...names, 'index.html'].map((name) => [name, '']));
    const bytes = await zip(files, { fileComment: 'x'.repeat(65_000) });
    expect(await inspect(bytes)).toEqual(['reading it takes too much work']);
  });

  it('reads many small entries by few reads', async () => {
    const files = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`${i}/index.html`, `${i}`]));
    const inspection = inspect(await zip(files, { compress: false }));
    expect(await inspection).toEqual([]);
    expect(inspection.reads()).toBeLessThan(20);
  });

  it.each<[string, (bytes: Buffer) => Buffer, RegExp]>([
    ['is not a zip', () => Buffer.from('<html>'.repeat(1000)), /cannot be read as a zip/],
    ['is empty', () => Buffer.alloc(0), /cannot be read as a zip/],
    ['is cut off', (bytes) => bytes.subarray(0, -10), /cannot be read as a zip/],
    ['is cut off at the start', (bytes) => bytes.subarray(10), /cannot be read|cannot be unpacked/],
    ['has more behind it', (bytes) => Buffer.concat([bytes, Buffer.from('more')]), /cannot be read as a zip/],
    ['is zip in its name only', () => Buffer.from('PK\u0003\u0004'), /cannot be read as a zip/],
    [
      'leaves its folder',
      (b) => renamed(b, 'assets/app.js', '../../../a.js'),
      /"..\/..\/..\/a.js" is not a path/,
    ],
    ['leaves it later', (b) => renamed(b, 'assets/app.js', 'a/../../../js'), /is not a path inside/],
    ['has an absolute path', (b) => renamed(b, 'assets/app.js', '/etc/password'), /"\/etc\/password" is not/],
    ['names a drive', (b) => renamed(b, 'assets/app.js', 'C:/windows.js'), /"C:\/windows.js" is not/],
    [
      'leaves it by backslashes',
      (b) => renamed(b, 'assets/app.js', '..\\..\\apps.js'),
      /is not a path inside/,
    ],
    [
      'has a backslash',
      (b) => renamed(b, 'assets/app.js', 'assets\\app.js'),
      /^"assets\\app.js" has a backslash: it was packed on Windows by an old program; pack again with 7-Zip or PowerShell 7$/,
    ],
    ['has a line break', (b) => renamed(b, 'assets/app.js', 'assets/app\njs'), /is not a path inside/],
    [
      'has a link',
      (b) => patched(b, (entry) => entry.writeUInt32LE((0o120777 << 16) >>> 0, 38), 2),
      /assets\/app.js is a symbolic link/,
    ],
    [
      'has a device',
      (b) => patched(b, (entry) => entry.writeUInt32LE((0o060666 << 16) >>> 0, 38), 2),
      /assets\/app.js is not an ordinary file/,
    ],
    [
      'has a folder without slash',
      (b) => patched(b, (entry) => entry.writeUInt32LE((0o040755 << 16) >>> 0, 38), 2),
      /assets\/app.js is not an ordinary file/,
    ],
    [
      'is encrypted',
      (b) => patched(b, (entry) => entry.writeUInt16LE(0x801, 8), 2),
      /^"assets\/app.js" is encrypted: pack again without a password$/,
    ],
    [
      'is encrypted strongly',
      (b) => patched(b, (entry) => entry.writeUInt16LE(0x841, 8), 2),
      /^an entry is encrypted \(strong encryption\): pack again without a password$/,
    ],
    [
      'is encrypted before its content only',
      (b) => patched(b, (_entry, local) => local.writeUInt16LE(0x801, 6), 2),
      /header says something else/,
    ],
    [
      'has another name before its content',
      (b) => patched(b, (_entry, local) => local.write('../../../a.js', 30), 2),
      /assets\/app.js cannot be unpacked: its header says something else/,
    ],
    [
      'says less than it unpacks to',
      (b) => patched(b, (entry) => entry.writeUInt32LE(999, 24), 2),
      /assets\/app.js cannot be unpacked: too many bytes/,
    ],
    [
      'says more than it unpacks to',
      (b) => patched(b, (entry) => entry.writeUInt32LE(1001, 24), 2),
      /assets\/app.js cannot be unpacked: not enough bytes/,
    ],
    [
      'has another CRC-32',
      (b) =>
        patched(
          b,
          (entry, local) => {
            entry.writeUInt32LE(1, 16);
            local.writeUInt32LE(1, 14);
          },
          2,
        ),
      /CRC-32 is wrong/,
    ],
    [
      'says that it unpacks to too much',
      (b) => patched(b, (entry) => entry.writeUInt32LE(2 ** 30, 24), 2),
      /it unpacks to 1073741830 bytes, and at most 1073741824 are allowed/,
    ],
    [
      'has the same content for two entries',
      (b) => patched(b, (entry) => entry.writeUInt32LE(0, 42), 2),
      /cannot be unpacked: it overlaps/,
    ],
    [
      'has content that reaches into the directory',
      (b) => patched(b, (entry) => entry.writeUInt32LE(200, 20), 2),
      /overlaps with the directory|overflows/,
    ],
    [
      'has more entries than it says',
      (b) => {
        const copy = Buffer.from(b);
        copy.writeUInt16LE(2, copy.length - 22 + 10);
        return copy;
      },
      /more entries than it says/,
    ],
    [
      'has fewer entries than it says',
      (b) => {
        const copy = Buffer.from(b);
        copy.writeUInt16LE(4, copy.length - 22 + 10);
        return copy;
      },
      /cannot be read as a zip/,
    ],
  ])('refuses one that %s', async (_case, change, problem) => {
    const found = await inspect(change(await zip(site)));
    expect(found.join('\n')).toMatch(problem);
  });

  it.each([
    [9, 'Deflate64'],
    [12, 'bzip2'],
    [14, 'LZMA'],
    [93, 'Zstandard'],
    [95, 'XZ'],
    [99, 'AES encryption'],
    [250, 'an unknown program'],
  ])('refuses one that is packed by method %d, and names it', async (method, name) => {
    const bytes = patched(await zip(site), (entry) => entry.writeUInt16LE(method, 10), 2);
    expect(await inspect(bytes)).toEqual([
      `"assets/app.js" is packed with ${name} (method ${method}): pack again with deflate`,
    ]);
  });

  describe('names', () => {
    /** Sets or removes the UTF-8 flag of the second file. */
    const flagged = (bytes: Buffer, entry: boolean, local = entry): Buffer =>
      patched(
        bytes,
        (directory, header) => {
          directory.writeUInt16LE(entry ? 0x800 : 0, 8);
          header.writeUInt16LE(local ? 0x800 : 0, 6);
        },
        1,
      );
    const withName = async (path: string) => zip({ 'index.html': 'x', [path]: 'café' });
    /** The same with names of raw bytes. */
    const raw = async (name: Buffer) =>
      renamed(await withName('x'.repeat(name.length)), 'x'.repeat(name.length), name.toString('latin1'));

    it.each([
      ['nowhere', false, false],
      ['in the directory only', true, false],
      ['before the content only', false, true],
    ])('in UTF-8 with the flag %s get it', async (_where, inDirectory, inHeader) => {
      const original = await withName('ordner/café.js');
      const bytes = flagged(original, inDirectory, inHeader);
      const { problems, warnings, unflagged } = await inspectAll(bytes);
      expect({ problems, warnings }).toEqual({ problems: [], warnings: [] });
      expect(unflagged.map(({ path }) => path)).toEqual(['ordner/café.js']);
      const corrected = await buffer(withFlags(Readable.from(pieces(bytes, 7)), unflagged));
      expect(corrected.equals(original)).toBe(true);
      expect((await inspectAll(corrected)).unflagged).toEqual([]);
    });

    it('need no flag in ASCII, or with it', async () => {
      expect((await inspectAll(await withName('café.js'))).unflagged).toEqual([]);
      expect((await inspectAll(flagged(await withName('cafe.js'), false))).unflagged).toEqual([]);
    });

    it('that are not UTF-8 despite the flag are refused', async () => {
      const bytes = flagged(await raw(Buffer.from('caf\x82.js', 'latin1')), true);
      expect(await inspect(bytes)).toEqual([
        '"caf\ufffd.js" has the UTF-8 flag, but its name is not UTF-8: pack again with a program that writes names in UTF-8',
      ]);
    });

    it('that are neither are read as CP437, with a warning', async () => {
      const bytes = flagged(await raw(Buffer.from('caf\x82.js', 'latin1')), false);
      const { problems, warnings, unflagged } = await inspectAll(bytes);
      expect({ problems, unflagged }).toEqual({ problems: [], unflagged: [] });
      expect(warnings).toEqual([
        {
          code: 'missing_utf8_flag',
          message:
            'The name of "café.js" is not in UTF-8, so it is read as CP437. If that is not the name, pack again with a program that sets the UTF-8 flag, such as 7-Zip.',
        },
      ]);
      expect(await inspect(flagged(bytes, false, true))).toEqual([
        'café.js cannot be unpacked: its header says something else than the directory',
      ]);
    });

    it('are compared as they are read', async () => {
      const bytes = await zip({ 'index.html': 'x', 'caf\u00e9': '1', 'cafe\u0301': '2' });
      expect((await inspect(flagged(bytes, false))).join()).toMatch(/Unicode/);
    });
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['no index.html', { 'app.js': 'x' }, /it has no index.html/],
    ['an INDEX.HTML only', { 'INDEX.HTML': 'x' }, /it has no index.html/],
    ['a folder of that name only', { 'index.html/app.js': 'x' }, /it has no index.html/],
    ['two names that differ by case', { 'index.html': 'x', 'Index.html': 'x' }, /differ in case/],
    ['two names that differ by Unicode form', { 'index.html': 'x', é: 'x', 'e\u0301': 'x' }, /Unicode/],
    ['a file that is a folder', { 'index.html': 'x', a: 'x', 'a/b': 'x' }, /a is a file and the folder/],
  ])('refuses one with %s', async (_case, files, problem) => {
    expect((await inspect(await zip(files))).join('\n')).toMatch(problem);
  });

  it('refuses one that has a file twice', async () => {
    const bytes = renamed(
      await zip({ 'index.html': 'x', 'assets/b.js': '1', 'assets/c.js': '2' }),
      'c.js',
      'b.js',
    );
    expect(await inspect(bytes)).toEqual(['assets/b.js is there twice']);
  });

  it('refuses one of more entries than are allowed, however it counts them', async () => {
    const entries = Array.from({ length: 70_000 }, (_, i) => ({ path: `${i}/index.html` }));
    expect(await inspect(rawZip(entries))).toEqual(['it has 70000 entries, and at most 20000 are allowed']);
    // Without 64 bits, only the last 16 bits of the number are there.
    expect(await inspect(rawZip(entries, 70_000 % 65_536))).toEqual(['it has more entries than it says']);
  });

  it('refuses one that unpacks to more than it may, however small it is', async () => {
    const zeros = deflateRawSync(Buffer.alloc(1024 * 1024), { finishFlush: constants.Z_FULL_FLUSH });
    const gigabyte = Buffer.concat([...Array.from({ length: 1024 }, () => zeros), deflateRawSync('')]);
    const bomb = { path: 'zeros.bin', content: gigabyte, unpacked: 1024 ** 3 };
    const bytes = rawZip([bomb, { path: 'index.html', content: deflateRawSync('x'), unpacked: 1 }]);
    expect(bytes.length).toBeLessThan(2 * 1024 * 1024);
    expect(await inspect(bytes)).toEqual([
      'it unpacks to 1073741825 bytes, and at most 1073741824 are allowed',
    ]);
    // The same, but it says that it is small.
    const lying = patched(bytes, (entry) => entry.writeUInt32LE(10, 24));
    expect((await inspect(lying)).join('\n')).toMatch(/zeros.bin cannot be unpacked: too many bytes/);
  });

  it('names every entry that is wrong', async () => {
    const bytes = await zip({ 'index.html': 'x', 'assets/a.js': '1', 'assets/b.js': '2' });
    expect(await inspect(renamed(bytes, 'assets/', '../../s'))).toHaveLength(2);
  });

  it('warns of what works, but may surprise', async () => {
    expect(await warningsOf(await zip(site))).toEqual([]);
    expect(await warningsOf(await zip({ 'www/': '', 'www/index.html': 'x' }))).toEqual(['wrapping_folder']);
    expect(await warningsOf(await zip({ 'index.html': 'x', 'aux.js': 'x' }))).toEqual(['windows_names']);
    expect(await warningsOf(await zip({ 'index.html': 'x', 'con/': '' }))).toEqual(['windows_names']);
  });

  it.each([
    ['setuid', 0o104755],
    ['setgid', 0o102755],
  ])('warns of the bit %s', async (_bit, mode) => {
    const withBit = patched(await zip(site), (entry) => entry.writeUInt32LE((mode << 16) >>> 0, 38), 2);
    expect(await warningsOf(withBit)).toEqual(['special_permissions']);
  });

  it('warns of no bit that means something else', async () => {
    const fromWindows = patched(
      await zip(site),
      (entry) => {
        entry.writeUInt8(0, 5);
        entry.writeUInt32LE((0o104755 << 16) >>> 0, 38);
      },
      2,
    );
    expect(await warningsOf(fromWindows)).toEqual([]);
  });

  it('fails as storage fails', async () => {
    const bytes = await zip(site);
    const failing = inspectZip(() => Promise.reject(new Error('out of reach')), bytes.length);
    await expect(failing).rejects.toThrow('out of reach');
  });

  it('never fails otherwise, whatever the bytes', async () => {
    const bytes = await zip(site);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), async (at, value) => {
        const copy = Buffer.from(bytes);
        copy[at] = value;
        expect(Array.isArray(await inspect(copy))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
