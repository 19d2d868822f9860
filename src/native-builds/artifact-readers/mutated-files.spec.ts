import fc from 'fast-check';
import { manifestOf, pngIcon } from '../../../test/support/native-builds/android/app-description.js';
import { binaryXml } from '../../../test/support/native-builds/android/binary-xml.js';
import { protoTable, protoXml } from '../../../test/support/native-builds/android/proto-messages.js';
import { resourcesOf, resourceTable } from '../../../test/support/native-builds/android/resource-table.js';
import { signedMessage, testSigner } from '../../../test/support/native-builds/android/test-signer.js';
import { makeAab } from '../../../test/support/native-builds/aab-writer.js';
import { makeApk } from '../../../test/support/native-builds/apk-writer.js';
import { binaryPlist } from '../../../test/support/native-builds/binary-plist.js';
import { makeIpa } from '../../../test/support/native-builds/ipa-writer.js';
import { readBytes } from '../../../test/support/native-builds/read-bytes.js';
import type { ArtifactFacts, ReadableType } from './artifact-facts.js';

/** Some bytes at some places. */
const changes = fc.array(fc.tuple(fc.nat(), fc.oneof(fc.nat(255), fc.constantFrom(0, 0x7f, 0x80, 0xff))), {
  minLength: 1,
  maxLength: 12,
});
const RUNS = { numRuns: 50 };

function mutate(bytes: Buffer, places: readonly (readonly [number, number])[]): Buffer {
  const mutated = Buffer.from(bytes);
  for (const [at, value] of places) mutated[at % mutated.length] = value;
  return mutated;
}

/** What may be shown: bounded, without control characters, and such as the database takes. */
function expectSafe({ icon, ...facts }: ArtifactFacts): void {
  expect(facts.packageName).toMatch(/^[\w.-]{3,255}$/);
  const text = JSON.stringify(facts);
  expect(text.length).toBeLessThan(10_000);
  expect(text).not.toMatch(/\\u0000|\\n|\\ud[89a-f]/);
  if (icon !== null) expect(icon.bytes.length).toBeLessThanOrEqual(1_000_000);
  for (const number of [facts.minSdkVersion, facts.targetSdkVersion]) {
    expect(number === null || (Number.isInteger(number) && Math.abs(number) <= 2 ** 31)).toBe(true);
  }
}

async function expectReading(type: ReadableType, bytes: Buffer): Promise<void> {
  const reading = await readBytes(type, bytes);
  if ('facts' in reading) expectSafe(reading.facts);
  else expect(reading.problem).toMatch(/^(it|its|an|[\w./-]+) [\w ,./():-]{3,200}[^.]$/);
}

const whole: readonly [ReadableType, () => Promise<Buffer>][] = [
  ['apk', () => makeApk({ signed: 'v3' })],
  ['aab', () => makeAab({ signed: true })],
  ['ipa', () => makeIpa()],
];

it.each(whole)('a mutated %s is answered with facts or a sentence', async (type, make) => {
  const bytes = await make();
  await fc.assert(
    fc.asyncProperty(changes, (places) => expectReading(type, mutate(bytes, places))),
    RUNS,
  );
});

const manifest = manifestOf({ features: { 'android.hardware.type.watch': true } });
const resources = resourcesOf('Läden', pngIcon());
const info = { CFBundleIdentifier: 'com.example.app', CFBundleVersion: '1', CFBundleName: 'Läden' };

/** In the zip, checksums would hide what the readers do. */
const parts: readonly [string, Buffer, (part: Buffer) => Promise<Buffer>, ReadableType][] = [
  [
    'AndroidManifest.xml',
    binaryXml(manifest),
    (part) => makeApk({ entries: { 'AndroidManifest.xml': part } }),
    'apk',
  ],
  [
    'resources.arsc',
    resourceTable('com.example.app', resources),
    (part) => makeApk({ entries: { 'resources.arsc': part } }),
    'apk',
  ],
  [
    'base/manifest/AndroidManifest.xml',
    protoXml(manifest),
    (part) => makeAab({ entries: { 'base/manifest/AndroidManifest.xml': part } }),
    'aab',
  ],
  [
    'base/resources.pb',
    protoTable('com.example.app', resources),
    (part) => makeAab({ entries: { 'base/resources.pb': part } }),
    'aab',
  ],
  [
    'META-INF/UPLOAD.RSA',
    signedMessage(Buffer.from('x'), testSigner(), true),
    (part) => makeApk({ entries: { 'META-INF/UPLOAD.RSA': part } }),
    'apk',
  ],
  [
    'Info.plist',
    binaryPlist(info),
    (part) => makeIpa({ profile: null, entries: { 'Payload/App.app/Info.plist': part } }),
    'ipa',
  ],
];

it.each(parts)('a mutated %s is answered with facts or a sentence', async (_path, part, make, type) => {
  await fc.assert(
    fc.asyncProperty(changes, async (places) => expectReading(type, await make(mutate(part, places)))),
    RUNS,
  );
});
