import { build } from 'plist';
import { pngIcon } from '../../../../test/support/native-builds/android/app-description.js';
import { zipOfEntries } from '../../../../test/support/native-builds/android/zip-of-entries.js';
import { makeIpa } from '../../../../test/support/native-builds/ipa-writer.js';
import { readBytes } from '../../../../test/support/native-builds/read-bytes.js';
import type { ArtifactReading } from '../read-artifact.js';

const info = (members: object = {}): Buffer =>
  Buffer.from(build({ CFBundleIdentifier: 'com.example.app', CFBundleVersion: '7', ...members }));

const read = async (entries: Record<string, Buffer>): Promise<ArtifactReading> =>
  readBytes('app', await zipOfEntries(entries));

describe('the reader of an app for the simulator', () => {
  it('finds what its Info.plist says, with its icon and without a signer', async () => {
    const members = {
      CFBundleShortVersionString: '2.1',
      CFBundleDisplayName: 'L\u00e4den',
      CFBundleIconFile: 'Icon',
      DTPlatformName: 'iphonesimulator',
      MinimumOSVersion: '15.0',
    };
    const icon = pngIcon();
    const entries = {
      'My App.app/': Buffer.alloc(0),
      'My App.app/Info.plist': info(members),
      'My App.app/Icon.png': icon,
      'My App.app/embedded.mobileprovision': Buffer.from('not one'),
      'My App.app/Frameworks/A.framework/Info.plist': Buffer.from('other'),
      '__MACOSX/My App.app/._Info.plist': Buffer.from('other'),
    };
    expect(await read(entries)).toEqual({
      remark: null,
      facts: {
        packageName: 'com.example.app',
        versionName: '2.1',
        versionCode: '7',
        minSdkVersion: null,
        targetSdkVersion: null,
        minOsVersion: '15.0',
        label: 'L\u00e4den',
        formFactor: null,
        debuggable: true,
        applePlatform: null,
        usesNonExemptEncryption: null,
        signer: null,
        icon: { bytes: icon, mimeType: 'image/png' },
      },
    });
  });

  it('says nothing of a platform that stores take, whatever the file says', async () => {
    for (const members of [{}, { DTPlatformName: 'iphoneos' }]) {
      const reading = await read({ 'App.app/Info.plist': info(members) });
      expect(reading).toMatchObject({ facts: { applePlatform: null } });
    }
  });

  it.each<[string, Record<string, Buffer>]>([
    ['it has 2 apps, and must have one', { 'A.app/Info.plist': info(), 'B.app/Info.plist': info() }],
    ['it has no App.app/Info.plist', { 'App.app/App': Buffer.alloc(1) }],
    ['its Info.plist is damaged', { 'App.app/Info.plist': Buffer.from('bplist00') }],
    [
      'its Info.plist has no valid CFBundleIdentifier',
      { 'App.app/Info.plist': info({ CFBundleIdentifier: 'x' }) },
    ],
    ['it is a zip without an app', { 'App/Info.plist': info() }],
  ])('says: %s', async (problem, entries) => {
    expect(await read(entries)).toEqual({ problem });
  });

  it('takes no ipa', async () => {
    expect(await readBytes('app', await makeIpa())).toEqual({ problem: 'it is an ipa' });
  });
});
