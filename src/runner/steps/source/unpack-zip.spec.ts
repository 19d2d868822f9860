import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';
import { withoutUtf8Flags } from '../../../../test/support/live-updates/archives.js';
import { unpackZip } from './unpack-zip.js';

const LINK = 0o120777;

let root: string;
beforeEach(async () => (root = await mkdtemp(join(tmpdir(), 'slipway-unpack-'))));
afterEach(() => rm(root, { recursive: true, force: true }));

/** Entries by path, in order; a text with a mode is written with it. */
async function zip(
  files: readonly (readonly [path: string, text: string, mode?: number])[],
): Promise<Buffer> {
  const file = new yazl.ZipFile();
  for (const [path, text, mode = 0o100644] of files) {
    if (path.endsWith('/')) file.addEmptyDirectory(path);
    else file.addBuffer(Buffer.from(text), path, { mode });
  }
  file.end();
  return buffer(file.outputStream);
}

async function unpack(bytes: Buffer): Promise<string | null> {
  await writeFile(join(root, 'source.zip'), bytes);
  await mkdir(join(root, 'repo'));
  return unpackZip(join(root, 'source.zip'), join(root, 'repo'));
}

/** Replaces a name everywhere by another one of the same length. */
function renamed(bytes: Buffer, from: string, to: string): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1');
}

async function modeOf(path: string): Promise<number> {
  return (await lstat(join(root, 'repo', path))).mode & 0o7777;
}

describe('unpackZip', () => {
  it('keeps permissions, folders and links, and takes setuid away', async () => {
    const bytes = await zip([
      ['package.json', '{}'],
      ['empty/', ''],
      ['bin/tool', '#!/bin/sh', 0o104755],
      ['bin/secret', 'x', 0o100400],
      ['bin/link', '../package.json', LINK],
    ]);
    expect(await unpack(bytes)).toBeNull();
    expect(await modeOf('bin/tool')).toBe(0o755);
    expect(await modeOf('bin/secret')).toBe(0o600);
    expect(await modeOf('package.json')).toBe(0o644);
    expect(await readlink(join(root, 'repo/bin/link'))).toBe('../package.json');
    expect(await readdir(join(root, 'repo/empty'))).toEqual([]);
  });

  it('reads names in UTF-8 without the flag, and names in CP437', async () => {
    const utf8 = withoutUtf8Flags(await zip([['ios/Café.xcodeproj/xcshareddata/Café.xcscheme', 'x']]));
    expect(await unpack(utf8)).toBeNull();
    expect(await readFile(join(root, 'repo/ios/Café.xcodeproj/xcshareddata/Café.xcscheme'), 'utf8')).toBe(
      'x',
    );
    await rm(join(root, 'repo'), { recursive: true });
    // Three bytes of UTF-8 become one of CP437, and two of ASCII.
    const cp437 = renamed(withoutUtf8Flags(await zip([['caf\u20ac.js', 'x']])), '\xe2\x82\xac', '\x82ab');
    expect(await unpack(cp437)).toBeNull();
    expect(await readdir(join(root, 'repo'))).toEqual(['caféab.js']);
  });

  it('makes gradlew executable in a zip without modes', async () => {
    const bytes = await zip([
      ['android/gradlew', '#!/bin/sh', 0],
      ['readme', '', 0],
    ]);
    expect(await unpack(bytes)).toBeNull();
    expect([await modeOf('android/gradlew'), await modeOf('readme')]).toEqual([0o755, 0o644]);
  });

  it.each<[string, () => Promise<Buffer>, RegExp]>([
    [
      'a path out of the folder',
      async () => renamed(await zip([['aa/evil', '']]), 'aa/', '../'),
      /not a path inside/,
    ],
    [
      'an absolute path',
      async () => renamed(await zip([['xetc/evil', '']]), 'xetc', '/etc'),
      /not a path inside/,
    ],
    [
      'a path with a drive',
      async () => renamed(await zip([['cc/evil', '']]), 'cc/', 'C:/'),
      /not a path inside/,
    ],
    [
      'a path with backslashes',
      async () => renamed(await zip([['aa/evil', '']]), 'aa/', '..\\'),
      /not a path inside/,
    ],
    ['a link out of the folder', () => zip([['link', '../../etc', LINK]]), /symbolic link out/],
    [
      'a file through a link',
      () =>
        zip([
          ['link', 'folder', LINK],
          ['link/file', 'x'],
        ]),
      /leads through a symbolic link/,
    ],
    [
      'a name twice',
      async () =>
        renamed(
          await zip([
            ['file1', 'a'],
            ['file2', 'b'],
          ]),
          'file2',
          'file1',
        ),
      /"file1" is there twice/,
    ],
    [
      'a file that is also a folder',
      async () =>
        zip([
          ['a', 'x'],
          ['a/b', 'x'],
        ]),
      /lies below a file|is there twice/,
    ],
    ['a name that is too long', () => zip([['x'.repeat(300), '']]), /too long/],
    ['a device', () => zip([['null', '', 0o020666]]), /not an ordinary file/],
    [
      'content that unpacks to more than it says',
      async () => lying(await zip([['a', 'x'.repeat(10_000)]])),
      /cannot be read as a zip/,
    ],
    ['no zip', () => Promise.resolve(Buffer.from('hello')), /cannot be read as a zip/],
  ])('refuses %s', async (_case, bytes, problem) => {
    expect(await unpack(await bytes())).toMatch(problem);
    expect(await readdir(root)).toEqual(['repo', 'source.zip']);
  });

  it('unpacks files with their content', async () => {
    const text = 'Grüße '.repeat(100_000);
    expect(await unpack(await zip([['a/b/c.txt', text]]))).toBeNull();
    expect(await readFile(join(root, 'repo/a/b/c.txt'), 'utf8')).toBe(text);
  });
});

/** Says in the directory that the content has one byte. */
function lying(bytes: Buffer): Buffer {
  const at = bytes.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
  bytes.writeUInt32LE(1, at + 24);
  return bytes;
}
