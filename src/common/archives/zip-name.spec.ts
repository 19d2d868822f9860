import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { readZipName, UTF8_FLAG, type ZipNameEncoding } from './zip-name.js';

const UTF8 = Buffer.from('café.js');
const CP437 = Buffer.from('caf\x82.js', 'latin1');
const GBK = Buffer.from('\xb2\xe2\xca\xd4.js', 'latin1');

interface Field {
  readonly name: Buffer;
  readonly of?: Buffer;
  readonly version?: number;
}

/** The extra field 0x7075. @param of the name whose checksum it has */
function unicodePath({ name, of = CP437, version = 1 }: Field): { id: number; data: Buffer } {
  const head = Buffer.alloc(5);
  head.writeUInt8(version, 0);
  head.writeUInt32LE(crc32(of), 1);
  return { id: 0x7075, data: Buffer.concat([head, name]) };
}

const read = (fileNameRaw: Buffer, flags = 0, ...extraFields: { id: number; data: Buffer }[]) =>
  readZipName({ fileNameRaw, generalPurposeBitFlag: flags, extraFields });

describe('readZipName', () => {
  it.each<[string, ReturnType<typeof read>, string, ZipNameEncoding]>([
    ['ASCII', read(Buffer.from('a/b.js')), 'a/b.js', 'ascii'],
    ['UTF-8 with the flag', read(UTF8, UTF8_FLAG), 'café.js', 'flag'],
    ['UTF-8 without the flag', read(UTF8), 'café.js', 'utf-8'],
    ['a byte order mark', read(Buffer.from('\ufeffa')), '\ufeffa', 'utf-8'],
    ['CP437', read(CP437), 'café.js', 'cp437'],
    ['GBK as CP437', read(GBK), '▓Γ╩╘.js', 'cp437'],
    ['control characters of CP437', read(Buffer.from('\x82\n', 'latin1')), 'é\n', 'cp437'],
    ['a backslash', read(Buffer.from('a\\\x82', 'latin1')), 'a\\é', 'cp437'],
    ['other bytes with the flag', read(CP437, UTF8_FLAG), 'caf\ufffd.js', 'invalid'],
    ['a Unicode Path', read(CP437, 0, unicodePath({ name: Buffer.from('other.js') })), 'other.js', 'field'],
    [
      'a Unicode Path of an ASCII name',
      read(Buffer.from('caf_.js'), 0, unicodePath({ name: UTF8, of: Buffer.from('caf_.js') })),
      'café.js',
      'field',
    ],
    [
      'a Unicode Path of another name',
      read(CP437, 0, unicodePath({ name: Buffer.from('x'), of: UTF8 })),
      'café.js',
      'cp437',
    ],
    [
      'a Unicode Path of another version',
      read(CP437, 0, unicodePath({ name: Buffer.from('x'), version: 2 })),
      'café.js',
      'cp437',
    ],
    ['a Unicode Path that is not UTF-8', read(CP437, 0, unicodePath({ name: CP437 })), 'café.js', 'cp437'],
    [
      'a Unicode Path that is too short',
      read(CP437, 0, { id: 0x7075, data: UTF8.subarray(0, 5) }),
      'café.js',
      'cp437',
    ],
    ['another extra field', read(UTF8, 0, { id: 0x5455, data: Buffer.from('123456') }), 'café.js', 'utf-8'],
    [
      'the flag, whatever the Unicode Path is',
      read(UTF8, UTF8_FLAG, unicodePath({ name: Buffer.from('x'), of: UTF8 })),
      'café.js',
      'flag',
    ],
  ])('reads %s', (_case, name, path, encoding) => {
    expect(name).toMatchObject({ path, encoding });
  });

  it('returns the name without the extra field, too', () => {
    expect(read(CP437, 0, unicodePath({ name: Buffer.from('../x') }))).toEqual({
      path: '../x',
      plain: 'café.js',
      field: '../x',
      encoding: 'field',
    });
  });

  it('reads any bytes', () => {
    const bytes = fc.uint8Array({ maxLength: 30 }).map((values) => Buffer.from(values));
    fc.assert(
      fc.property(bytes, fc.nat(0xffff), bytes, fc.boolean(), (raw, flags, data, fits) => {
        const field = fits ? unicodePath({ name: data, of: raw }) : { id: 0x7075, data };
        const { path, plain, encoding } = read(raw, flags, field);
        expect(Buffer.from(plain).toString()).toBe(plain);
        // Nothing that matters to a path depends on how the other bytes are read.
        for (const byte of Buffer.from('/\\.:\0\n'))
          expect(plain.split(String.fromCharCode(byte)).length).toBe(
            raw.filter((b) => b === byte).length + 1,
          );
        if (encoding !== 'field') expect(path).toBe(plain);
      }),
      { numRuns: 2000 },
    );
  });
});
