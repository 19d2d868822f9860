import { decode } from 'fast-png';
import { build, type PlistValue } from 'plist';
import { pngIcon } from '../../../../test/support/native-builds/android/app-description.js';
import { cgbiImage } from '../../../../test/support/native-builds/cgbi-image.js';
import { makeIpa } from '../../../../test/support/native-builds/ipa-writer.js';
import { readBytes } from '../../../../test/support/native-builds/read-bytes.js';

const APP = 'Payload/App.app/';
const [small, large] = [pngIcon(60), pngIcon(180)];
const square = (side: number): Buffer =>
  cgbiImage({ width: side, height: side, pixelAt: () => [255, 0, 0, 255] });

/** The icon of an app whose `Info.plist` has these members. */
async function iconOf(
  members: Readonly<Record<string, PlistValue>>,
  files: Readonly<Record<string, Buffer>>,
): Promise<Buffer | null> {
  const info = build({ CFBundleIdentifier: 'com.example.app', ...members });
  const entries = Object.fromEntries(Object.entries(files).map(([name, file]) => [APP + name, file]));
  const reading = await readBytes(
    'ipa',
    await makeIpa({ entries: { [`${APP}Info.plist`]: Buffer.from(info), ...entries } }),
  );
  if ('problem' in reading) throw new Error(reading.problem);
  return reading.facts.icon?.bytes ?? null;
}

const primary = (...names: PlistValue[]) => ({ CFBundlePrimaryIcon: { CFBundleIconFiles: names } });

describe('the icon of an app for iOS', () => {
  it.each<[string, Readonly<Record<string, PlistValue>>, string, string]>([
    ['of phones', { CFBundleIcons: primary('Icon60') }, 'Icon60@2x.png', 'Icon60@3x.png'],
    ['of iPads', { 'CFBundleIcons~ipad': primary('Icon76') }, 'Icon76~ipad.png', 'Icon76@2x~ipad.png'],
    ['in the older key', { CFBundleIconFiles: ['Icon.png', 'Icon-72.png'] }, 'Icon.png', 'Icon-72.png'],
    ['in the oldest key', { CFBundleIconFile: 'Icon.png' }, 'Icon.png', 'Icon@2x.png'],
    ['whose name has a scale', { CFBundleIconFiles: ['Icon@2x.png', 'Icon'] }, 'Icon.png', 'Icon@2x.png'],
  ])('%s is the largest that is named', async (_what, info, smaller, larger) => {
    expect(await iconOf(info, { [smaller]: small, [larger]: large })).toEqual(large);
    expect(await iconOf(info, { [smaller]: large, [larger]: small })).toEqual(large);
  });

  it('is converted from the form of Apple', async () => {
    const icon = await iconOf({ CFBundleIcons: primary('Icon60') }, { 'Icon60@2x.png': square(120) });
    const { width, data } = decode(icon ?? Buffer.alloc(0));
    expect([width, ...data.subarray(0, 4)]).toEqual([120, 255, 0, 0, 255]);
  });

  it('is the next one when the largest cannot be shown', async () => {
    const info = { CFBundleIcons: primary('Icon') };
    const damaged = square(120).subarray(0, -20);
    const huge = square(8);
    huge.writeUInt32BE(60_000, huge.indexOf('IHDR') + 4);
    const files = { 'Icon@2x.png': damaged, 'Icon@3x.png': huge, 'Icon.png': small };
    expect(await iconOf(info, files)).toEqual(small);
  });

  it.each<[string, Readonly<Record<string, PlistValue>>]>([
    ['nothing is named', {}],
    ['the keys have other types', { CFBundleIcons: ['Icon'], CFBundleIconFiles: 5, CFBundleIconFile: [] }],
    ['names are no texts', { CFBundleIcons: primary(5, true, ['Other']) }],
    ['names lead elsewhere', { CFBundleIconFiles: ['../Icon', '/Icon', 'Frameworks/Icon', '', '.'] }],
    ['the name has a wildcard', { CFBundleIconFiles: ['*', 'Ico.', 'I'] }],
  ])('is none when %s', async (_what, info) => {
    const files = { 'Icon.png': small, 'Frameworks/Icon.png': small };
    expect(await iconOf(info, files)).toBeNull();
  });

  it('is none when the file is no PNG, whatever its name says, or larger than 1 MB', async () => {
    const info = { CFBundleIconFile: 'Icon' };
    expect(await iconOf(info, { 'Icon.png': Buffer.from('<svg onload="alert(1)"/>') })).toBeNull();
    expect(await iconOf(info, { 'Icon.png': Buffer.concat([small, Buffer.alloc(1_000_000)]) })).toBeNull();
    expect(await iconOf(info, {})).toBeNull();
  });

  it('is found although thousands of names are listed', async () => {
    const names = ['Icon', ...Array.from({ length: 5000 }, (_, n) => `Icon${n}`)];
    expect(await iconOf({ CFBundleIcons: primary(...names) }, { 'Icon@2x.png': small })).toEqual(small);
  });
});
