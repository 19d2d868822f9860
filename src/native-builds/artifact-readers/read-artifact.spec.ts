import {
  type AndroidApp,
  ICON_ID,
  LABEL_ID,
  manifestOf,
  pngIcon,
  type XmlElement,
} from '../../../test/support/native-builds/android/app-description.js';
import type { TableType } from '../../../test/support/native-builds/android/resource-table.js';
import { binaryXml } from '../../../test/support/native-builds/android/binary-xml.js';
import { testSigner } from '../../../test/support/native-builds/android/test-signer.js';
import { zipOfEntries } from '../../../test/support/native-builds/android/zip-of-entries.js';
import { makeAab } from '../../../test/support/native-builds/aab-writer.js';
import { makeApk } from '../../../test/support/native-builds/apk-writer.js';
import { makeIpa } from '../../../test/support/native-builds/ipa-writer.js';
import { readBytes } from '../../../test/support/native-builds/read-bytes.js';
import type { ArtifactFacts } from './artifact-facts.js';

const webp = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8 '), Buffer.alloc(20)]);
const signer = {
  subject: 'CN=Upload key, O=Example',
  sha256: testSigner().x509.fingerprint256,
  expiresAt: new Date('2051-01-01T00:00:00Z'),
  teamId: null,
  profileType: null,
};

/** What both writers take. */
type AnyApp = AndroidApp & { readonly manifest?: XmlElement; readonly resources?: readonly TableType[] };

const android: readonly { type: 'apk' | 'aab'; make: (app: AnyApp) => Promise<Buffer> }[] = [
  { type: 'apk', make: makeApk },
  { type: 'aab', make: makeAab },
];

describe.each(android)('the reader of an $type', ({ type, make }) => {
  const read = async (app: AnyApp): Promise<ArtifactFacts> => {
    const reading = await readBytes(type, await make(app));
    if ('problem' in reading) throw new Error(reading.problem);
    return reading.facts;
  };

  it('finds what the manifest and its resources say', async () => {
    const icon = pngIcon(96);
    const app = {
      packageName: 'com.acme.shop',
      versionName: '2.1-rc.1',
      versionCode: 2_000_000_007,
      label: 'Läden 🛒',
      minSdk: 26,
      targetSdk: 36,
      debuggable: true,
      applePlatform: null,
      usesNonExemptEncryption: null,
    };
    expect(await read({ ...app, icon })).toEqual({
      packageName: 'com.acme.shop',
      versionName: '2.1-rc.1',
      versionCode: '2000000007',
      minSdkVersion: 26,
      targetSdkVersion: 36,
      minOsVersion: null,
      label: 'Läden 🛒',
      formFactor: null,
      debuggable: true,
      applePlatform: null,
      usesNonExemptEncryption: null,
      signer: null,
      icon: { bytes: icon, mimeType: 'image/png' },
    });
  });

  it('adds the major part of the version code', async () => {
    expect(await read({ versionCode: 4_294_967_295, versionCodeMajor: 2 })).toMatchObject({
      versionCode: '12884901887',
    });
    expect(await read({ versionCode: 5, versionCodeMajor: 0 })).toMatchObject({ versionCode: '5' });
  });

  it.each([
    [{ 'android.hardware.type.watch': true }, 'wear'],
    [{ 'android.software.leanback': true }, 'tv'],
    [{ 'android.hardware.type.television': true }, 'tv'],
    [{ 'android.hardware.type.automotive': true }, 'automotive'],
    [{ 'android.software.leanback': false, 'android.hardware.touchscreen': true }, null],
    [{ 'android.hardware.camera': true, toString: true }, null],
  ])('finds the form factor of %o', async (features, formFactor) => {
    expect(await read({ features: features as Record<string, boolean> })).toMatchObject({ formFactor });
  });

  it('takes the label for any language, and follows references', async () => {
    const resources: TableType[] = [
      {
        name: 'string',
        entries: {
          app_name: [{ value: 'Boutique', language: 'fr' }, { value: { reference: LABEL_ID + 1 } }],
          name: [{ value: 'Shop' }],
        },
      },
    ];
    expect(await read({ resources })).toMatchObject({ label: 'Shop', icon: null });
    const circle: TableType[] = [
      { name: 'string', entries: { app_name: [{ value: { reference: LABEL_ID } }] } },
    ];
    expect(await read({ resources: circle })).toMatchObject({ label: null });
  });

  it('resolves a version that is a resource', async () => {
    const manifest = manifestOf({});
    const attributes = { ...manifest.attributes, versionName: { reference: LABEL_ID } };
    expect(await read({ label: '3.2', manifest: { ...manifest, attributes } })).toMatchObject({
      versionName: '3.2',
    });
  });

  it('makes one line of what is shown, without characters that hide or turn text', async () => {
    const label = ` Shop\u202e\nfree\0${'x'.repeat(2000)}`;
    const facts = await read({ label, versionName: '1\r\n2\u2066' });
    expect(facts.versionName).toBe('1 2');
    expect(facts.label?.slice(0, 12)).toBe('Shop free xx');
    expect(facts.label).toHaveLength(1000);
  });

  it('takes the picture with the highest density', async () => {
    const [small, large] = [pngIcon(48), pngIcon(192)];
    const resources: TableType[] = [
      { name: 'string', entries: {} },
      {
        name: 'mipmap',
        entries: {
          icon: [
            { value: 'res/a.png', density: 160 },
            { value: 'res/b.png', density: 640 },
            { value: 'res/c.xml', density: 0xfffe },
            { value: 'res/missing.png', density: 480 },
          ],
        },
      },
    ];
    const folder = type === 'aab' ? 'base/' : '';
    const entries = { [`${folder}res/a.png`]: small, [`${folder}res/b.png`]: large };
    expect((await read({ resources, entries })).icon?.bytes).toEqual(large);
    const tooLarge = Buffer.concat([large, Buffer.alloc(1_000_000)]);
    expect(
      (await read({ resources, entries: { ...entries, [`${folder}res/b.png`]: tooLarge } })).icon?.bytes,
    ).toEqual(small);
    expect((await read({ resources, entries: { ...entries, [`${folder}res/b.png`]: webp } })).icon).toEqual({
      bytes: webp,
      mimeType: 'image/webp',
    });
  });

  it.each(['<svg xmlns="http://www.w3.org/2000/svg"/>', 'GIF89a', '\xff\xd8\xff', ''])(
    'takes no other file for an icon: %j',
    async (text) => {
      expect((await read({ icon: Buffer.from(text, 'latin1') })).icon).toBeNull();
    },
  );

  it('shows no label and no icon when the resources are damaged', async () => {
    const path = type === 'aab' ? 'base/resources.pb' : 'resources.arsc';
    for (const table of [Buffer.alloc(0), Buffer.alloc(100, 0xff), Buffer.from('08000000', 'hex')]) {
      expect(await read({ entries: { [path]: table } })).toMatchObject({ label: null, icon: null });
    }
  });

  it('refuses a manifest that is damaged, of something else, or without a package name', async () => {
    const path = type === 'aab' ? 'base/manifest/AndroidManifest.xml' : 'AndroidManifest.xml';
    const entries = { [path]: Buffer.alloc(100, 0xff) };
    expect(await readBytes(type, await make({ entries }))).toEqual({ problem: `its ${path} is damaged` });
    const manifest: XmlElement = { name: 'resources', attributes: {} };
    expect(await readBytes(type, await make({ manifest }))).toEqual({
      problem: 'its AndroidManifest.xml is no manifest',
    });
    for (const packageName of ['', 'shop', '../../etc', 'com.acme.shop; rm', `com.${'a'.repeat(300)}`]) {
      expect(await readBytes(type, await make({ packageName }))).toEqual({
        problem: 'its manifest has no valid package name',
      });
    }
  });
});

describe('the icon of an apk', () => {
  it('is the foreground of an adaptive icon, if that is a picture', async () => {
    const adaptive = (drawable: number): Buffer =>
      binaryXml({
        name: 'adaptive-icon',
        attributes: {},
        children: [
          { name: 'background', attributes: { drawable: { reference: ICON_ID + 7 } } },
          { name: 'foreground', attributes: { drawable: { reference: drawable } } },
        ],
      });
    const front = pngIcon(108);
    const icon = [{ value: 'res/icon.xml', density: 0xfffe }];
    const resources: TableType[] = [
      { name: 'string', entries: {} },
      { name: 'mipmap', entries: { icon, front: [{ value: 'res/front.png' }] } },
    ];
    const read = async (drawable: number): Promise<unknown> => {
      const entries = { 'res/icon.xml': adaptive(drawable), 'res/front.png': front };
      return readBytes('apk', await makeApk({ resources, entries }));
    };
    expect(await read(ICON_ID + 1)).toMatchObject({ facts: { icon: { bytes: front } } });
    // It leads to itself.
    expect(await read(ICON_ID)).toMatchObject({ facts: { icon: null } });
  });
});

describe('the signer', () => {
  it.each(['v1', 'v2', 'v3'] as const)('of an apk is found by the scheme %s', async (signed) => {
    const expected = { facts: { signer: { scheme: signed, ...signer } } };
    expect(await readBytes('apk', await makeApk({ signed }))).toMatchObject(expected);
  });

  it('of an aab is in META-INF', async () => {
    const expected = { facts: { signer: { scheme: 'v1', ...signer } } };
    expect(await readBytes('aab', await makeAab({ signed: true }))).toMatchObject(expected);
  });

  it('is none when its file is damaged', async () => {
    const entries = { 'META-INF/A.RSA': Buffer.from('3080'.repeat(1000), 'hex') };
    expect(await readBytes('apk', await makeApk({ entries }))).toMatchObject({ facts: { signer: null } });
  });
});

describe('the reader of an ipa', () => {
  it.each(['xml', 'binary'] as const)('reads its property list in %s', async (format) => {
    const ipa = {
      packageName: 'com.acme-corp.Shop',
      versionName: '2.1',
      versionCode: '7.1',
      minOsVersion: '16.4',
    };
    const reading = await readBytes('ipa', await makeIpa({ ...ipa, label: 'Läden', format, profile: null }));
    expect(reading).toEqual({
      remark: null,
      facts: {
        ...ipa,
        minSdkVersion: null,
        targetSdkVersion: null,
        label: 'Läden',
        formFactor: null,
        debuggable: false,
        applePlatform: 'ios',
        usesNonExemptEncryption: null,
        signer: null,
        icon: null,
      },
    });
  });

  it.each(['development', 'ad-hoc', 'app-store', 'enterprise'] as const)(
    'reads a profile for %s',
    async (profile) => {
      const expiresAt = new Date('2027-03-14T09:26:53Z');
      const reading = await readBytes('ipa', await makeIpa({ profile, teamId: 'ABCDE12345', expiresAt }));
      expect(reading).toMatchObject({
        facts: {
          debuggable: profile === 'development',
          signer: {
            scheme: 'profile',
            profileType: profile,
            teamId: 'ABCDE12345',
            expiresAt,
            subject: 'CN=Apple Distribution: Example, O=Example',
          },
        },
      });
    },
  );

  it('refuses several apps, and damaged files', async () => {
    const info = { 'Payload/B.app/Info.plist': Buffer.from(''), 'Payload/C.app/Info.plist': Buffer.from('') };
    const problems = [
      [info, 'it has 3 apps in the folder Payload, and must have one'],
      [{ 'Payload/App.app/Info.plist': Buffer.from('bplist00') }, 'its Info.plist is damaged'],
      [{ 'Payload/App.app/Info.plist': Buffer.from('<plist><array/></plist>') }, 'its Info.plist is damaged'],
      [
        { 'Payload/App.app/Info.plist': Buffer.from('<plist><dict/></plist>') },
        'its Info.plist has no valid CFBundleIdentifier',
      ],
      [
        { 'Payload/App.app/embedded.mobileprovision': Buffer.from('<plist/>') },
        'its embedded.mobileprovision is damaged',
      ],
    ] as const;
    for (const [entries, problem] of problems) {
      expect(await readBytes('ipa', await makeIpa({ entries }))).toEqual({ problem });
    }
  });

  it('leaves extensions and watch apps in the app alone', async () => {
    const entries = {
      'Payload/App.app/Watch/W.app/Info.plist': Buffer.from(''),
      '__MACOSX/Payload/._App.app': Buffer.from(''),
    };
    expect(await readBytes('ipa', await makeIpa({ entries }))).toMatchObject({ facts: { label: 'Example' } });
  });
});

describe('a file of another kind', () => {
  const zip = (...paths: string[]): Promise<Buffer> =>
    zipOfEntries(Object.fromEntries(paths.map((path) => [path, Buffer.from('x')])));

  it.each([
    ['an aab', () => makeAab()],
    ['an ipa', () => makeIpa()],
    ['an APK set of bundletool', () => zip('toc.pb', 'splits/base-master.apk')],
    ['a zip of a web app', () => zip('www/index.html')],
    ['a zipped app without the folder Payload', () => zip('App.app/Info.plist')],
    ['an archive of Xcode', () => zip('App.xcarchive/Info.plist')],
    ['a Java archive', () => zip('META-INF/MANIFEST.MF', 'A.class')],
    ['a zip without an app', () => zip('a.txt')],
    ['an empty zip', () => zip()],
    ['a web page', () => Promise.resolve(Buffer.from('<!DOCTYPE html><title>Sign in'))],
    [
      'a pointer of Git LFS instead of the file itself',
      () => Promise.resolve(Buffer.from('version https://git-lfs.github.com/spec/v1\n')),
    ],
    ['a gzip archive', () => Promise.resolve(Buffer.from('1f8b0800', 'hex'))],
    ['a text', () => Promise.resolve(Buffer.from('{"message":"Not Found"}'))],
    ['no zip', () => Promise.resolve(Buffer.alloc(1000))],
    ['no zip', () => Promise.resolve(Buffer.alloc(0))],
  ])('is named: %s', async (kind, make) => {
    expect(await readBytes('apk', await make())).toEqual({ problem: `it is ${kind}` });
  });

  it('is named where an aab or an ipa is expected', async () => {
    expect(await readBytes('aab', await makeApk())).toEqual({ problem: 'it is an apk' });
    expect(await readBytes('ipa', await makeApk())).toEqual({ problem: 'it is an apk' });
  });

  it('is a library when its manifest is a text', async () => {
    const entries = { 'AndroidManifest.xml': Buffer.from('<?xml version="1.0"?><manifest/>') };
    expect(await readBytes('apk', await makeApk({ entries }))).toEqual({
      problem: 'its AndroidManifest.xml is a text, as in a project or an Android library',
    });
  });
});
