import {
  APP,
  type Files,
  type FixtureTarget,
  INFO_PLIST,
  infoPlist,
  payload,
  pbxproj,
  WIDGET,
  WorkingCopy,
} from '../../../../../test/support/runners/ios/xcode-project.js';
import type { BuildPayloadDto } from '../../../../native-builds/runner-builds/build-payload.dto.js';
import type { BuildProject } from '../../../steps/build-project.js';
import { overrideIos } from './override-ios.js';

const PATH = 'ios/App/App.xcodeproj';
const PROJECT = `${PATH}/project.pbxproj`;
const PLIST = 'ios/App/App/Info.plist';
const SCHEME = { scheme: 'App', configuration: 'Release', target: 'App' };

type Configuration = Partial<NonNullable<BuildPayloadDto['configuration']>>;

/** Overrides, and returns what changed: line diffs by path, and the log. */
async function override(
  targets: readonly FixtureTarget[],
  configuration: Configuration,
  files: Files = {},
): Promise<{ copy: WorkingCopy; diff: (path: string) => string[]; log: string[] }> {
  const before: Files = { [PROJECT]: pbxproj({ targets }), [PLIST]: INFO_PLIST, ...files };
  const copy = await WorkingCopy.with(before);
  const log: string[] = [];
  const run = { payload: payload({}, configuration), log: { line: (text: string) => log.push(text) } };
  const ios = {
    kind: 'capacitor',
    dir: 'ios/App',
    projectPath: PATH,
    workspacePath: null,
    hasPodfile: false,
  } as const;
  const result = { copy, diff: (path: string) => copy.diff(path, before[path] ?? ''), log };
  try {
    await overrideIos({ files: copy.files, run } as unknown as BuildProject, ios, SCHEME);
  } catch (error) {
    // All or nothing.
    for (const path of Object.keys(before)) expect(copy.read(path)).toBe(before[path]);
    throw error;
  }
  return result;
}

describe('the configuration of a build', () => {
  it('changes nothing when it says nothing', async () => {
    const { diff, log } = await override([APP], {});
    expect([...diff(PROJECT), ...diff(PLIST), ...log]).toEqual([]);
  });

  it('changes exactly its values, of the configuration that is built', async () => {
    const { copy, diff, log } = await override([APP, WIDGET], {
      displayName: 'Tom & <Jerry>',
      packageName: 'com.new.app',
      versionName: '2.10',
      buildNumber: 42,
    });
    expect(diff(PROJECT)).toEqual([
      '-PRODUCT_BUNDLE_IDENTIFIER = com.acme.shop;',
      '-CURRENT_PROJECT_VERSION = 1;',
      '-MARKETING_VERSION = 1.0;',
      '+CURRENT_PROJECT_VERSION = 42;',
      '+MARKETING_VERSION = 2.10;',
      '+PRODUCT_BUNDLE_IDENTIFIER = com.new.app;',
    ]);
    expect(/T0XRelease[^]*?\n\t\t\};/.exec(copy.read(PROJECT))?.[0]).toContain('MARKETING_VERSION = 2.10;');
    expect(diff(PLIST)).toEqual(['-<string>Shop</string>', '+<string>Tom &amp; &lt;Jerry&gt;</string>']);
    expect(log).toEqual([
      'The configuration sets the name of the app: Tom & <Jerry>',
      'The configuration sets the package name: com.new.app',
      'The configuration sets the version: 2.10',
      'The configuration sets the build number: 42',
      `Changed ${PATH}, ${PLIST}`,
    ]);
  });

  it('keeps the rest of the bundle ids of what the app embeds', async () => {
    const { copy, log } = await override(
      [
        { ...APP, embeds: ['Widget', 'Watch', 'Other', 'Clip'] },
        {
          ...WIDGET,
          settings: {
            ...WIDGET.settings,
            PRODUCT_BUNDLE_IDENTIFIER: '"$(BASE).widget"',
            BASE: 'com.acme.shop',
          },
        },
        {
          name: 'Watch',
          product: 'application.watchapp2',
          settings: {
            GENERATE_INFOPLIST_FILE: 'YES',
            INFOPLIST_KEY_WKCompanionAppBundleIdentifier: 'com.acme.shop',
            PRODUCT_BUNDLE_IDENTIFIER: 'com.acme.shop.watch',
          },
          embeds: ['Face'],
        },
        {
          name: 'Face',
          product: 'watchkit2-extension',
          settings: { INFOPLIST_FILE: 'Face.plist', PRODUCT_BUNDLE_IDENTIFIER: 'com.acme.shop.watch.face' },
        },
        {
          name: 'Other',
          product: 'app-extension',
          settings: { PRODUCT_BUNDLE_IDENTIFIER: 'com.acme.shopping' },
        },
        {
          name: 'Clip',
          product: 'application.on-demand-install-capable',
          settings: { CODE_SIGN_ENTITLEMENTS: 'Clip.plist', PRODUCT_BUNDLE_IDENTIFIER: 'com.acme.shop.Clip' },
        },
      ],
      { packageName: 'com.new' },
      {
        [PLIST]: infoPlist({ CFBundleIdentifier: 'com.acme.shop' }),
        'ios/App/Face.plist':
          '<plist><dict><key>NSExtension</key><dict><key>NSExtensionAttributes</key><dict><key>WKAppBundleIdentifier</key><string>com.acme.shop.watch</string></dict></dict></dict></plist>',
        'ios/App/Clip.plist':
          '<plist><dict><key>com.apple.developer.parent-application-identifiers</key><array><string>$(AppIdentifierPrefix)com.acme.shop</string></array></dict></plist>',
      },
    );
    const text = copy.read(PROJECT);
    for (const bundleId of [
      'com.new',
      'com.new.widget',
      'com.new.watch',
      'com.new.watch.face',
      'com.new.Clip',
    ]) {
      expect(text).toContain(`PRODUCT_BUNDLE_IDENTIFIER = ${bundleId};`);
    }
    expect(text).toContain('INFOPLIST_KEY_WKCompanionAppBundleIdentifier = com.new;');
    expect(copy.read('ios/App/Face.plist')).toContain('<string>com.new.watch</string>');
    expect(copy.read('ios/App/Clip.plist')).toContain('<string>$(AppIdentifierPrefix)com.new</string>');
    expect(copy.read(PLIST)).toContain('<string>com.new</string>');
    expect(log).toContain(
      'The target Other keeps its bundle id com.acme.shopping, which does not begin with com.acme.shop',
    );
  });

  it('gives extensions the version of the app, if they had it', async () => {
    const literal = infoPlist({ CFBundleVersion: '1', CFBundleShortVersionString: '3.0' });
    const { copy, diff, log } = await override(
      [
        { ...APP, embeds: ['Widget', 'Old', 'Own'] },
        WIDGET,
        {
          ...WIDGET,
          name: 'Old',
          settings: { ...WIDGET.settings, GENERATE_INFOPLIST_FILE: 'NO', INFOPLIST_FILE: 'Old.plist' },
        },
        {
          ...WIDGET,
          name: 'Own',
          settings: { ...WIDGET.settings, GENERATE_INFOPLIST_FILE: 'NO', INFOPLIST_FILE: 'Own.plist' },
        },
        { name: 'Tests', product: 'bundle.unit-test', settings: { INFOPLIST_FILE: 'Tests.plist' } },
      ],
      { versionName: '2.0', buildNumber: 7 },
      {
        'ios/App/Old.plist': literal,
        'ios/App/Own.plist': infoPlist({
          CFBundleVersion: '9',
          CFBundleShortVersionString: '$(MARKETING_VERSION)',
        }),
        'ios/App/Tests.plist': literal,
      },
    );
    expect(diff('ios/App/Old.plist')).toEqual(['-<string>1</string>', '+<string>7</string>']);
    expect(diff('ios/App/Own.plist')).toEqual([]);
    expect(diff('ios/App/Tests.plist')).toEqual([]);
    expect(copy.read(PROJECT).match(/MARKETING_VERSION = 2\.0;/g)).toHaveLength(3);
    expect(copy.read(PROJECT).match(/CURRENT_PROJECT_VERSION = 7;/g)).toHaveLength(2);
    expect(log).toContain('The target Own keeps the build number 9, which is not that of the app');
    expect(log).toContain('The target Old keeps the version 3.0, which is not that of the app');
  });

  it('sets what Xcode makes Info.plist from, and adds what is missing in one', async () => {
    const settings = { ...WIDGET.settings, PRODUCT_BUNDLE_IDENTIFIER: 'com.acme.shop' };
    const generated = await override([{ ...APP, settings }], { displayName: 'My "Shop"', buildNumber: 3 });
    expect(generated.diff(PROJECT)).toEqual([
      '-CURRENT_PROJECT_VERSION = 1;',
      '-INFOPLIST_KEY_CFBundleDisplayName = Widget;',
      '+CURRENT_PROJECT_VERSION = 3;',
      '+INFOPLIST_KEY_CFBundleDisplayName = "My \\"Shop\\"";',
    ]);
    const added = await override(
      [APP],
      { displayName: 'Shop', versionName: '2' },
      { [PLIST]: infoPlist({}) },
    );
    expect(added.diff(PLIST)).toEqual([
      '+<key>CFBundleDisplayName</key>',
      '+<string>Shop</string>',
      '+<key>CFBundleShortVersionString</key>',
      '+<string>2</string>',
    ]);
    expect(added.copy.read(PLIST)).toContain('\t</array>\n\t<key>CFBundleDisplayName</key>\n');
  });

  it('replaces texts that are no plain variable', async () => {
    const { diff } = await override(
      [APP],
      { versionName: '2.0', displayName: 'New' },
      {
        [PLIST]: infoPlist({
          CFBundleShortVersionString: '$(MAJOR).1',
          CFBundleDisplayName: '$(PRODUCT_NAME)',
        }),
      },
    );
    expect(diff(PLIST)).toEqual([
      '-<string>$(MAJOR).1</string>',
      '-<string>$(PRODUCT_NAME)</string>',
      '+<string>2.0</string>',
      '+<string>New</string>',
    ]);
  });
});

describe('a value without a clear place', () => {
  const translated = { ...APP, translatedTo: ['de', 'en'] };

  it('is the name that languages translate', async () => {
    const german = 'ios/App/App/de.lproj/InfoPlist.strings';
    const english = 'ios/App/App/en.lproj/InfoPlist.strings';
    const comment =
      '/* CFBundleDisplayName = "x"; */\n// CFBundleDisplayName\nNSCameraUsageDescription = "x";';
    await expect(
      override(
        [translated],
        { displayName: 'New', buildNumber: 2 },
        {
          [german]: Buffer.from('CFBundleDisplayName = "Laden";', 'utf16le').toString('latin1'),
          [english]: comment,
        },
      ),
    ).rejects.toThrow(
      `The configuration sets the name of the app, which ${german} translates: Slipway replaces values that have exactly one place.`,
    );
    const { diff } = await override([translated], { displayName: 'New' }, { [english]: comment });
    expect(diff(PLIST)).toHaveLength(2);
  });

  it.each([
    [
      '<plist><dict><key>CFBundleVersion</key><string>1</string><key>CFBundleVersion</key><string>2</string></dict></plist>',
      'which has 2 places in ios/App/App/Info.plist',
    ],
    ['bplist00', `${PLIST} is a binary property list: run "plutil -convert xml1" on it, and commit it.`],
    ['{ CFBundleVersion = 1; }', `${PLIST} is not a property list in XML and UTF-8.`],
    ['<plist><array/></plist>', 'is not a property list'],
    [' '.repeat(1024 * 1024 + 1), 'is larger than'],
    [`<plist>${'<dict><key>a</key>'.repeat(40_000)}`, 'is not a property list'],
  ])('is in an Info.plist that cannot be changed: %#', async (plist, message) => {
    await expect(override([APP], { buildNumber: 2 }, { [PLIST]: plist })).rejects.toThrow(message);
  });

  it.each([
    ['../../../etc/passwd', 'leads out of the project'],
    ['/etc/passwd', 'INFOPLIST_FILE of the target "App" is "/etc/passwd", which is no file of the project.'],
    ['"$(NOPE)/Info.plist"', 'which is no file of the project'],
    ['None.plist', 'There is no ios/App/None.plist, which INFOPLIST_FILE of the target "App" names.'],
    ['""', 'The target "App" has no Info.plist'],
  ])('is in an Info.plist at %s', async (path, message) => {
    const settings = { ...APP.settings, INFOPLIST_FILE: path };
    await expect(override([{ ...APP, settings }], { buildNumber: 2 })).rejects.toThrow(message);
  });

  it('is a variable of Xcode', async () => {
    await expect(override([APP], { displayName: 'a $(HOME)' })).rejects.toThrow('reads as a variable');
  });
});
