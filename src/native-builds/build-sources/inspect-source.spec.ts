import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';
import { inspectSource } from './inspect-source.js';

const LINK = 0o120777;

/** A zip; a text with a mode is written with it. */
async function zip(files: Readonly<Record<string, string | [string, number]>>): Promise<Buffer> {
  const file = new yazl.ZipFile();
  for (const [path, content] of Object.entries(files)) {
    const [text, mode] = typeof content === 'string' ? [content, 0o100644] : content;
    file.addBuffer(Buffer.from(text), path, { mode });
  }
  file.end();
  return buffer(file.outputStream);
}

function inspect(bytes: Buffer): Promise<string | null> {
  return inspectSource(
    ({ start, length }) => Promise.resolve(Readable.from([bytes.subarray(start, start + length)])),
    bytes.length,
  );
}

/** Replaces a name everywhere by another one of the same length. */
function renamed(bytes: Buffer, from: string, to: string): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1');
}

describe('inspectSource', () => {
  it('takes a project with modes and links that stay inside', async () => {
    const bytes = await zip({
      'package.json': '{}',
      'android/gradlew': ['#!/bin/sh', 0o100755],
      'android/link': ['../package.json', LINK],
      'www/deep/up': ['../../android/gradlew', LINK],
      here: ['.', LINK],
      'www/shared': ['../shared', LINK],
      'www/logo.png': ['shared/logo.png', LINK],
      'shared/up': ['..', LINK],
      'again.json': ['www/shared/up/package.json', LINK],
      'not-built-yet': ['dist/index.html', LINK],
      loop: ['loop', LINK],
    });
    expect(await inspect(bytes)).toBeNull();
  });

  it.each<[string, Record<string, string | [string, number]>, RegExp]>([
    ['a link to the parent of its root', { a: ['..', LINK] }, /"a" is a symbolic link out/],
    ['a link that leaves it from a folder', { 'a/b': ['../../etc/passwd', LINK] }, /link out/],
    ['a link that leaves it and comes back', { a: ['../zip/a', LINK] }, /link out/],
    ['an absolute link', { a: ['/etc/passwd', LINK] }, /link out/],
    [
      'a link through another one',
      { 'a/b': ['..', LINK], c: ['a/b/../etc', LINK] },
      /"c" is a symbolic link out/,
    ],
    [
      'a link through others',
      { a: ['b/up', LINK], b: ['c', LINK], 'c/up': ['../..', LINK] },
      /^"a" is a symbolic link out of the project, to "b\/up": copy it into the project$/,
    ],
    ['a link through one of another case', { A: ['..', LINK], b: ['a', LINK] }, /link out/],
    ['a file below a link', { a: ['b', LINK], 'a/file': 'x' }, /"a\/file" leads through a symbolic link/],
    ['a link of many bytes', { a: ['b'.repeat(5000), LINK] }, /too long/],
    ['a device', { a: ['', 0o060666] }, /not an ordinary file/],
    ['nothing', {}, /it is empty/],
  ])('refuses one with %s', async (_case, files, problem) => {
    expect(await inspect(await zip(files))).toMatch(problem);
  });

  it.each([
    ['leaves its folder', '../../../a.js', /not a path inside/],
    ['is absolute', '/etc/password', /not a path inside/],
    ['is on a drive', 'C:/windows.js', /not a path inside/],
    ['has backslashes', '..\\..\\apps.js', /not a path inside/],
  ])('refuses a path that %s', async (_case, name, problem) => {
    expect(await inspect(renamed(await zip({ 'assets/app.js': 'x' }), 'assets/app.js', name))).toMatch(
      problem,
    );
  });

  it('refuses backslashes with their cause', async () => {
    const bytes = renamed(await zip({ 'assets/app.js': 'x' }), 'assets/app.js', 'assets\\app.js');
    expect(await inspect(bytes)).toBe(
      '"assets\\app.js" has a backslash: it was packed on Windows by an old program; pack again with 7-Zip or PowerShell 7',
    );
  });

  it.each([
    [10, 14, '"app.js" is packed with LZMA (method 14): pack again with deflate'],
    [8, 1, '"app.js" is encrypted: pack again without a password'],
    [8, 0x41, 'an entry is encrypted (strong encryption): pack again without a password'],
  ])('refuses content that cannot be read (field %d, value %d)', async (field, value, problem) => {
    const bytes = await zip({ 'app.js': 'x' });
    bytes.writeUInt16LE(value, bytes.indexOf('504b0102', 0, 'hex') + field);
    expect(await inspect(bytes)).toBe(problem);
  });

  it('refuses a name that is not UTF-8 with the flag', async () => {
    const bytes = renamed(await zip({ 'cafe.js': 'x' }), 'cafe.js', 'caf\x82.js');
    expect(await inspect(bytes)).toMatch(
      /^"caf\ufffd.js" has the UTF-8 flag, but its name is not UTF-8: pack again/,
    );
  });

  it('refuses one that unpacks to too much', async () => {
    const bytes = await zip({ a: '1', b: '2' });
    const central = Buffer.from('504b0102', 'hex');
    for (let at = bytes.indexOf(central); at >= 0; at = bytes.indexOf(central, at + 1)) {
      bytes.writeUInt32LE(0xfffffff0, at + 24);
    }
    expect(await inspect(bytes)).toMatch(/unpacks to more|cannot be read/);
  });

  it('refuses the same content for several entries', async () => {
    const bytes = await zip({ a: 'x'.repeat(1000), b: 'y' });
    const central = Buffer.from('504b0102', 'hex');
    const second = bytes.indexOf(central, bytes.indexOf(central) + 1);
    bytes.writeUInt32LE(0, second + 42);
    expect(await inspect(bytes)).toMatch(/overlaps/);
  });

  it('refuses what is no zip', async () => {
    expect(await inspect(Buffer.from('<html>'.repeat(100)))).toMatch(/cannot be read as a zip/);
  });

  it('fails as storage fails', async () => {
    await expect(inspectSource(() => Promise.reject(new Error('out of reach')), 1000)).rejects.toThrow(
      'out of reach',
    );
  });
});
