import { build } from 'plist';
import { binaryXml } from '../../../test/support/native-builds/android/binary-xml.js';
import type { TableType } from '../../../test/support/native-builds/android/resource-table.js';
import { makeAab } from '../../../test/support/native-builds/aab-writer.js';
import { makeApk } from '../../../test/support/native-builds/apk-writer.js';
import { cgbiImage } from '../../../test/support/native-builds/cgbi-image.js';
import {
  endlessPlist,
  listObject,
  longObject,
  objectsPlist,
} from '../../../test/support/native-builds/endless-plist.js';
import {
  longProtoTable,
  longResourceTable,
  manifestWithLabel,
  overlappingTable,
  overlappingXml,
  sparseTable,
  wideProtoXml,
} from '../../../test/support/native-builds/hostile-files.js';
import { makeIpa } from '../../../test/support/native-builds/ipa-writer.js';
import { readBytes } from '../../../test/support/native-builds/read-bytes.js';
import { WorkBudget } from '../../common/work-budget.js';
import type { ReadableType } from './artifact-facts.js';
import { MAX_WORK } from './artifact-zip.js';
import type { ArtifactReading } from './read-artifact.js';

const TOO_MUCH = { problem: 'reading it takes too much work' };
const ARSC = 'resources.arsc';
const INFO = 'Payload/App.app/Info.plist';

/** What is read of a file, and what that costs, without a limit. */
async function costOf(type: ReadableType, bytes: Buffer): Promise<readonly [ArtifactReading, number]> {
  const work = new WorkBudget(Infinity);
  return [await readBytes(type, bytes, work), work.spent];
}

describe('resources that refer to each other', () => {
  it('in an aab are found by their ids: each of 50,000 entries is looked at once', async () => {
    const table = longProtoTable('Läden', 50_000);
    const aab = await makeAab({ entries: { 'base/resources.pb': table } });
    const [reading, cost] = await costOf('aab', aab);
    expect(reading).toMatchObject({ facts: { label: 'Läden', icon: null } });
    expect(cost).toBeGreaterThan(table.length);
    expect(cost).toBeLessThan(200 * 50_000);
  });

  it('in an apk are found by their types: each of 100,000 chunks is looked at once', async () => {
    const table = longResourceTable('Läden', 100_000);
    const [reading, cost] = await costOf('apk', await makeApk({ icon: null, entries: { [ARSC]: table } }));
    expect(reading).toMatchObject({ facts: { label: 'Läden' } });
    expect(cost).toBeGreaterThan(table.length);
    expect(cost).toBeLessThan(300 * 100_000 + 3 * table.length);
  });

  it.each([0, 2, 39_998, 59_998])('are found in a list of indexes, at %i', async (index) => {
    const manifest = binaryXml(manifestWithLabel(index));
    const entries = { 'AndroidManifest.xml': manifest, [ARSC]: sparseTable('Läden', 30_000, index) };
    expect(await readBytes('apk', await makeApk({ entries }))).toMatchObject({ facts: { label: 'Läden' } });
    const others = { ...entries, [ARSC]: sparseTable('Läden', 30_000, 60_001) };
    expect(await readBytes('apk', await makeApk({ entries: others }))).toMatchObject({
      facts: { label: null },
    });
  });
});

describe('what takes too much work is refused with this sentence:', () => {
  const files: readonly [string, ReadableType, () => Promise<Buffer>, limit?: number][] = [
    ['strings in one place', 'apk', () => makeApk({ entries: { [ARSC]: overlappingTable(6000) } })],
    [
      'names of attributes in one place',
      'apk',
      () => makeApk({ entries: { 'AndroidManifest.xml': overlappingXml(6000) } }),
    ],
    [
      'many large drawables',
      'aab',
      () => {
        const paths = Array.from({ length: 8 }, (_, index) => `res/${index}.xml`);
        const drawable = wideProtoXml('adaptive-icon', 60_000);
        const values = paths.map((value, index) => ({ value, density: index + 1 }));
        const resources: TableType[] = [
          { name: 'string', entries: {} },
          { name: 'mipmap', entries: { icon: values } },
        ];
        return makeAab({
          resources,
          entries: Object.fromEntries(paths.map((path) => [`base/${path}`, drawable])),
        });
      },
      // A tenth, to spare time.
      MAX_WORK / 10,
    ],
    [
      'chunks without content',
      'apk',
      () => {
        const nothing = Buffer.from('0000080008000000', 'hex');
        const table = longResourceTable('Läden', 0);
        const longer = Buffer.concat([table, Buffer.alloc(8 * 1_500_000, nothing)]);
        longer.writeUInt32LE(longer.length, 4);
        return makeApk({ entries: { [ARSC]: longer } });
      },
    ],
    ['lists that contain each other', 'ipa', () => ipaOf(endlessPlist())],
    [
      'one list that is there ten thousand times',
      'ipa',
      () => {
        const [copies, leaf] = [10_000, 10_001];
        const all = listObject(Array.from({ length: copies }, (_, index) => 1 + index));
        const list = listObject(Array.from({ length: copies }, () => leaf));
        return ipaOf(objectsPlist([all, list, Buffer.from([0x08])], copies));
      },
    ],
    [
      'a text that a list has ten thousand times',
      'ipa',
      () =>
        ipaOf(
          objectsPlist([
            listObject(Array.from({ length: 10_000 }, () => 1)),
            longObject(5, Buffer.alloc(30_000, 'x')),
          ]),
        ),
    ],
    [
      'tags with namespaces in each other',
      'ipa',
      () => ipaOf(Buffer.alloc(1024 * 1024, '<plist xmlns:a="b">')),
    ],
    ['a million beginnings of tags', 'ipa', () => ipaOf(Buffer.alloc(1024 * 1024, '<'))],
    ['values of a signed message', 'ipa', () => makeIpa({ entries: { [PROFILE]: manyValues(500_000) } })],
    [
      'pictures that cannot be converted',
      'ipa',
      () => {
        const names = Array.from({ length: 16 }, (_, index) => `Icon${index}`);
        const info = build({ CFBundleIdentifier: 'com.example.app', CFBundleIconFiles: names });
        // The header promises more lines than there are.
        const header = (bytes: Buffer): void => void bytes.writeUInt32BE(1024, 4);
        const picture = cgbiImage({ width: 1024, height: 1, header, pixelAt: () => [1, 2, 3, 255] });
        const pictures = names.map((name) => [`Payload/App.app/${name}.png`, picture]);
        return makeIpa({
          profile: null,
          entries: { [INFO]: Buffer.from(info), ...(Object.fromEntries(pictures) as Record<string, Buffer>) },
        });
      },
    ],
  ];

  it.each(files)('%s, in an %s', async (_what, type, make, limit = MAX_WORK) => {
    expect(await readBytes(type, await make(), new WorkBudget(limit))).toEqual(TOO_MUCH);
  });
});

it('a manifest with 50,000 attributes without names is read, each once', async () => {
  const manifest = wideProtoXml('manifest', 50_000);
  const aab = await makeAab({ entries: { 'base/manifest/AndroidManifest.xml': manifest } });
  const [reading, cost] = await costOf('aab', aab);
  expect(reading).toMatchObject({ facts: { packageName: 'com.a.b' } });
  expect(cost).toBeLessThan(160 * 50_000);
});

it('a number of many bytes in a property list is damage: the library would take the square of its length', async () => {
  const number = Buffer.concat([Buffer.from([0x1e]), Buffer.alloc(2 ** 14, 0xff)]);
  const dictionary = Buffer.from('d100010002', 'hex');
  const plist = objectsPlist([dictionary, Buffer.from('Q1'), number]);
  expect(await readBytes('ipa', await ipaOf(plist))).toEqual({ problem: 'its Info.plist is damaged' });
});

const PROFILE = 'Payload/App.app/embedded.mobileprovision';

function ipaOf(plist: Buffer): Promise<Buffer> {
  return makeIpa({ profile: null, entries: { [INFO]: plist } });
}

/** A signed message with so many certificates that are empty. */
function manyValues(count: number): Buffer {
  const wrap = (tag: number, content: Buffer): Buffer => {
    const head = Buffer.from([tag, 0x83, 0, 0, 0]);
    head.writeUIntBE(content.length, 2, 3);
    return Buffer.concat([head, content]);
  };
  const certificates = wrap(0xa0, Buffer.alloc(2 * count, Buffer.from('3000', 'hex')));
  const content = Buffer.from('3000', 'hex');
  return wrap(0x30, wrap(0xa0, wrap(0x30, Buffer.concat([content, certificates]))));
}
