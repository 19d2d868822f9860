import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import {
  APP,
  type FixtureProject,
  type FixtureTarget,
  pbxproj,
  WIDGET,
  WorkingCopy,
} from '../../../../../test/support/runners/ios/xcode-project.js';
import { XcodeProject } from './xcode-project.js';

const PATH = 'ios/App/App.xcodeproj';
const FILE = `${PATH}/project.pbxproj`;

async function open(
  project: FixtureProject | string,
  files: Readonly<Record<string, string>> = {},
): Promise<{ copy: WorkingCopy; text: string; project: XcodeProject }> {
  const text = typeof project === 'string' ? project : pbxproj(project);
  const copy = await WorkingCopy.with({ [FILE]: text, ...files });
  return { copy, text, project: await XcodeProject.open(copy.files, PATH) };
}

/** An app whose bundle id is a text with variables. */
function appWith(bundleId: string, settings: Readonly<Record<string, string>> = {}): FixtureTarget {
  return { ...APP, settings: { ...settings, PRODUCT_BUNDLE_IDENTIFIER: `"${bundleId}"` } };
}

async function bundleIdOf(
  bundleId: string,
  own: Readonly<Record<string, string>> = {},
  rest: Omit<FixtureProject, 'targets'> = {},
  files: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  const { project } = await open({ targets: [appWith(bundleId, own)], ...rest }, files);
  return (await project.signableTargets('Release', 'App'))[0]?.bundleId;
}

describe('targets that are signed', () => {
  it('are the app and what it embeds, and what that embeds', async () => {
    const { project } = await open({
      targets: [
        { name: 'Tests', product: 'bundle.unit-test', settings: {} },
        { ...APP, embeds: ['Widget', 'Kit', 'Watch', 'Clip'] },
        WIDGET,
        { name: 'Kit', product: 'framework', settings: {} },
        {
          ...WIDGET,
          name: 'Watch',
          product: 'application.watchapp2',
          embeds: ['Face'],
          settings: {
            PRODUCT_BUNDLE_IDENTIFIER: 'wrong.sdk',
            '"PRODUCT_BUNDLE_IDENTIFIER[sdk=watchos*]"': 'com.acme.shop.watch',
          },
        },
        { ...WIDGET, name: 'Face', product: 'extensionkit-extension' },
        { ...WIDGET, name: 'Clip', product: 'application.on-demand-install-capable' },
        { ...WIDGET, name: 'Other', product: 'app-extension' },
        { ...APP, name: 'Second' },
      ],
    });
    expect(await project.signableTargets('Release', 'App')).toEqual([
      { name: 'App', bundleId: 'com.acme.shop', isMain: true },
      { name: 'Widget', bundleId: 'com.acme.shop.widget', isMain: false },
      { name: 'Watch', bundleId: 'com.acme.shop.watch', isMain: false },
      { name: 'Clip', bundleId: 'com.acme.shop.widget', isMain: false },
      { name: 'Face', bundleId: 'com.acme.shop.widget', isMain: false },
    ]);
    expect(project.apps().map(({ name }) => name)).toEqual(['App', 'Second']);
  });

  it('are each there once when they embed each other', async () => {
    const { project } = await open({
      targets: [
        { ...APP, embeds: ['Widget'] },
        { ...WIDGET, embeds: ['Widget', 'App'] },
      ],
    });
    expect(await project.signableTargets('Release', 'App')).toHaveLength(2);
  });

  it('are at most a hundred', async () => {
    const widgets = Array.from({ length: 101 }, (_, index) => ({ ...WIDGET, name: `Widget${index}` }));
    const { project } = await open({
      targets: [{ ...APP, embeds: widgets.map(({ name }) => name) }, ...widgets],
    });
    await expect(project.signableTargets('Release', 'App')).rejects.toThrow(
      'The target "App" embeds more than 100 targets.',
    );
  });

  it('are found among ten thousand', async () => {
    const others = Array.from(
      { length: 10_000 },
      (_, index) => `\t\tZ${index} = {isa = PBXNativeTarget; name = Z${index}; };`,
    );
    const ids = others.map((_, index) => `Z${index}`).join(', ');
    const text = pbxproj({ targets: [APP] })
      .replace('targets = (', `targets = (${ids}, `)
      .replace('\tobjects = {\n', `\tobjects = {\n${others.join('\n')}\n`);
    const { project } = await open(text);
    expect(await project.signableTargets('Release', 'App')).toHaveLength(1);
  });
});

describe('a bundle id', () => {
  it.each([
    ['$(PRODUCT_NAME:rfc1034identifier)', { PRODUCT_NAME: '"My Shop_2"' }, 'My-Shop-2'],
    ['com.$(TARGET_NAME:lower).${CONFIGURATION}', {}, 'com.app.Release'],
    ['a.$(BASE_$(CONFIGURATION))', { BASE_Release: 'rel' }, 'a.rel'],
    ['a.$(NONE:default=b)', {}, 'a.b'],
    ['a.$(X)', { X: '"$(X:upper)y"', PRODUCT_NAME: 'P' }, 'a.y'],
    ['a$(inherited)', {}, 'a'],
    ['com.acme.shop$(ONLY_IN_DEBUG)', {}, 'com.acme.shop'],
  ])('%s with %j', async (text, settings: Record<string, string>, expected) => {
    expect(await bundleIdOf(text, settings)).toBe(expected);
  });

  it('comes from the first of target, its file, project and its file, with what they inherit', async () => {
    const files = {
      'ios/App/Own.xcconfig':
        '#include "Base.xcconfig"\n#include? "Missing.xcconfig"\nSUFFIX = $(inherited)o // comment\nSUFFIX[sdk=macosx*] = mac\n',
      'ios/App/Base.xcconfig': '#include "Own.xcconfig"\nSUFFIX = overwritten\nNAME = base\n',
      'ios/App/All.xcconfig': 'SUFFIX = file\n',
    };
    const rest = {
      settings: { SUFFIX: '"$(inherited)p"' },
      xcconfigs: { target: 'Own.xcconfig', project: 'All.xcconfig' },
    };
    expect(await bundleIdOf('$(NAME).$(SUFFIX)t', {}, rest, files)).toBe('base.filepot');
  });

  it.each([
    ['$(A)', { A: '"$(B)"', B: '"$(A)"' }],
    ['$(A)', { A: '"$(A:lower)"' }],
    ['$(A)', { A: `"${'$(B)'.repeat(50)}"`, B: `"${'$(C)'.repeat(50)}"`, C: `"${'c'.repeat(50)}"` }],
    ['$('.repeat(900), {}],
    ['com.acme.$(UNKNOWN)', {}],
    ['com.acme.$(TARGET_NAME:nonsense)', {}],
    ['com.acme/shop', {}],
    ['com.acme.shop; rm', {}],
    ['', {}],
  ])('that cannot be found out is named: %#', async (text, settings: Record<string, string>) => {
    await expect(bundleIdOf(text, settings)).rejects.toThrow(
      /^The bundle id of the target "App" cannot be found out: PRODUCT_BUNDLE_IDENTIFIER is ".*" in the configuration "Release"\.$/s,
    );
  });

  it('that is not there is named, as is a configuration that is not there', async () => {
    const { project } = await open({ targets: [{ ...APP, settings: {} }] });
    await expect(project.signableTargets('Release', 'App')).rejects.toThrow(
      'The target "App" has no PRODUCT_BUNDLE_IDENTIFIER in the configuration "Release".',
    );
    await expect(project.signableTargets('Staging\n', 'App')).rejects.toThrow(
      'The target "App" has no configuration "Staging\\n", but "Debug", "Release".',
    );
    await expect(project.signableTargets('Release', 'Nope')).rejects.toThrow('has no target "Nope"');
  });

  it('does not come from files outside of the project', async () => {
    const rest = { xcconfigs: { target: '../../../../etc/passwd' } };
    await expect(bundleIdOf('$(A)', {}, rest)).rejects.toThrow('leads out of the project');
    const includes = { 'ios/App/Own.xcconfig': '#include "../../../x.xcconfig"' };
    await expect(bundleIdOf('$(A)', {}, { xcconfigs: { target: 'Own.xcconfig' } }, includes)).rejects.toThrow(
      'leads out of the project',
    );
  });

  it('does not follow endless files', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [
        `ios/App/${index}.xcconfig`,
        `#include "${index + 1}.xcconfig"`,
      ]),
    );
    await expect(bundleIdOf('$(A)', {}, { xcconfigs: { target: '0.xcconfig' } }, files)).rejects.toThrow(
      'includes more than',
    );
  });
});

describe('settings', () => {
  const licence = '\tLicensed to those who read it';

  it.each([{ targets: [APP, WIDGET] }, { targets: [APP], licence }])(
    'that are as they were change no byte',
    async (fixture) => {
      const { copy, text, project } = await open(fixture);
      project.setSettings('App', 'Release', { CODE_SIGN_STYLE: 'Automatic', MARKETING_VERSION: '1.0' });
      expect(await project.save()).toBe(false);
      expect(copy.read(FILE)).toBe(text);
    },
  );

  it('of signing change in one configuration of one target, also those for devices', async () => {
    const { copy, text, project } = await open({ targets: [APP, WIDGET], licence });
    project.setSigning('App', 'Release', {
      CODE_SIGN_IDENTITY: 'Apple Distribution: Acme (ABCDE12345)',
      CODE_SIGN_STYLE: 'Manual',
      DEVELOPMENT_TEAM: 'ABCDE12345',
      PROVISIONING_PROFILE_SPECIFIER: 'say "hi"; \\ $(x)',
    });
    await project.save();
    expect(copy.diff(FILE, text)).toEqual([
      '-"CODE_SIGN_IDENTITY[sdk=iphoneos*]" = "iPhone Developer";',
      '-CODE_SIGN_STYLE = Automatic;',
      '-DevelopmentTeam = OLDTEAM111;',
      '-ProvisioningStyle = Automatic;',
      '+CODE_SIGN_IDENTITY = "Apple Distribution: Acme (ABCDE12345)";',
      '+"CODE_SIGN_IDENTITY[sdk=iphoneos*]" = "Apple Distribution: Acme (ABCDE12345)";',
      '+CODE_SIGN_STYLE = Manual;',
      '+DEVELOPMENT_TEAM = ABCDE12345;',
      '+PROVISIONING_PROFILE_SPECIFIER = "say \\"hi\\"; \\\\ $(x)";',
      '+DevelopmentTeam = ABCDE12345;',
      '+ProvisioningStyle = Manual;',
    ]);
    const [release = ''] = /T0XRelease[^]*?\n\t\t\};/.exec(copy.read(FILE)) ?? [];
    expect(release).toContain('\t\t\t\tDEVELOPMENT_TEAM = ABCDE12345;\n');
    const again = await XcodeProject.open(copy.files, PATH);
    const settings = await again.settings('App', 'Release');
    expect(settings.raw('PROVISIONING_PROFILE_SPECIFIER')).toBe('say "hi"; \\ $(x)');
  });

  it('are written with the line ends of the file, and into an empty list', async () => {
    const empty = { ...APP, settings: {} };
    const { copy, text, project } = await open(pbxproj({ targets: [empty] }).replaceAll('\n', '\r\n'));
    project.setSettings('App', 'Release', { A: '1', B: '//x' });
    await project.save();
    expect(copy.diff(FILE, text)).toEqual(['+A = 1;', '+B = "//x";']);
    expect(copy.read(FILE)).toContain('\t\t\t\tA = 1;\r\n\t\t\t\tB = "//x";\r\n\t\t\t};');
  });
});

describe('a file that is no project', () => {
  it.each([
    ['', 'is not a valid project file'],
    ['{', 'is not a valid project file'],
    ['{ objects = { }; rootObject = ROOT; }', 'is not a valid project file'],
    ['{ objects = { ROOT = { isa = PBXGroup; }; }; rootObject = ROOT; }', 'is not a valid project file'],
    ['{ __proto__ = { rootObject = a; }; }', 'is not a valid project file'],
    [`${'{a='.repeat(200_000)}`, 'is not a valid project file'],
    [`{ a = ${'('.repeat(1_000_000)}`, 'is not a valid project file'],
    ['<plist><dict/></plist>', 'is not a valid project file'],
    [' '.repeat(8 * 1024 * 1024 + 1), 'is larger than'],
  ])('is refused: %#', async (text, message) => {
    await expect(open(text)).rejects.toThrow(message);
  });

  it('is refused when it is missing, or a link leads out', async () => {
    const copy = await WorkingCopy.with({ [`${PATH}/other`]: '' });
    await expect(XcodeProject.open(copy.files, PATH)).rejects.toThrow(`There is no ${FILE}.`);
    symlinkSync('/etc/passwd', join(copy.root, FILE));
    await expect(XcodeProject.open(copy.files, PATH)).rejects.toThrow('leads out of the project');
  });
});
