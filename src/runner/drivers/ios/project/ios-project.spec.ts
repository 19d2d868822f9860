import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import {
  APP,
  type Files,
  payload,
  pbxproj,
  WIDGET,
  WorkingCopy,
  xcscheme,
} from '../../../../../test/support/runners/ios/xcode-project.js';
import { findScheme, type Scheme } from './find-scheme.js';
import { findIosFolder, findIosProject, findIosWebBuild, type IosProject } from './ios-project.js';

const npm = {
  name: 'npm',
  version: null,
  because: null,
  isDeclared: false,
  root: '',
  lock: null,
  program: null,
  sha512: null,
} as const;

const CAPACITOR = { 'capacitor.config.json': '{}' };
const at = (path: string): Files => ({ [`${path}/file`]: '' });

async function find(files: Files, baseDir = ''): Promise<IosProject> {
  const copy = await WorkingCopy.with(files);
  return findIosProject(copy.files, await findIosFolder(copy.files, baseDir));
}

describe('an iOS project', () => {
  it.each<[string, Files, string, string | null]>([
    [
      'Capacitor with Swift packages',
      { ...CAPACITOR, ...at('ios/App/App.xcodeproj') },
      'ios/App/App.xcodeproj',
      null,
    ],
    [
      'Capacitor that has left CocoaPods',
      { ...CAPACITOR, ...at('ios/App/App.xcodeproj'), ...at('ios/App/App.xcworkspace') },
      'ios/App/App.xcodeproj',
      null,
    ],
    [
      'Capacitor with CocoaPods, before pod install',
      { ...CAPACITOR, ...at('ios/App/App.xcodeproj'), 'ios/App/Podfile': '' },
      'ios/App/App.xcodeproj',
      'ios/App/App.xcworkspace',
    ],
    [
      'Capacitor in another folder, with other projects',
      {
        'capacitor.config.json': '{"ios":{"path":"native/ios"}}',
        ...at('native/ios/App/App.xcodeproj'),
        ...at('native/ios/App/Other.xcodeproj'),
      },
      'native/ios/App/App.xcodeproj',
      null,
    ],
    [
      'Cordova',
      { 'config.xml': '', ...at('platforms/ios/Shop.xcodeproj'), ...at('platforms/ios/Shop.xcworkspace') },
      'platforms/ios/Shop.xcodeproj',
      'platforms/ios/Shop.xcworkspace',
    ],
    [
      'React Native',
      {
        ...at('ios/Shop.xcodeproj'),
        ...at('ios/Shop.xcworkspace'),
        ...at('ios/Pods.xcodeproj'),
        'ios/Podfile': '',
      },
      'ios/Shop.xcodeproj',
      'ios/Shop.xcworkspace',
    ],
    ['native, in the root', at('Shop.xcodeproj'), 'Shop.xcodeproj', null],
    [
      'native, of several the one of the workspace',
      { ...at('Shop.xcodeproj'), ...at('Tools.xcodeproj'), ...at('Shop.xcworkspace') },
      'Shop.xcodeproj',
      'Shop.xcworkspace',
    ],
    [
      'native, a workspace of other folders',
      {
        'Shop.xcworkspace/contents.xcworkspacedata':
          '<Workspace><Group location="container:apps"><FileRef location="group:Shop.xcodeproj"></FileRef></Group><FileRef location="group:Pods/Pods.xcodeproj"/><FileRef location="absolute:/x.xcodeproj"/></Workspace>',
        ...at('apps/Shop.xcodeproj'),
      },
      'apps/Shop.xcodeproj',
      'Shop.xcworkspace',
    ],
  ])('is found: %s', async (_name, files, projectPath, workspacePath) => {
    expect(await find(files)).toMatchObject({ projectPath, workspacePath });
  });

  it.each<[Files, string]>([
    [{ 'a.txt': '' }, 'The repository has no iOS project'],
    [CAPACITOR, 'The project has no folder ios: run "npx cap add ios" and commit the folder.'],
    [{ ...CAPACITOR, ...at('ios') }, 'There is no Xcode project in ios/App'],
    [{ 'capacitor.config.json': '{"ios":{"path":"../.."}}' }, 'leads out of the project'],
    [{ 'config.xml': '' }, 'run "npx cordova platform add ios"'],
    [
      { ...at('A.xcodeproj'), ...at('B.xcodeproj') },
      'the Xcode projects "A", "B". Keep one, or give the project and the workspace to build the same name.',
    ],
    [{ ...at('A.xcodeproj'), ...at('B.xcworkspace'), ...at('C.xcworkspace') }, 'the workspaces "B", "C"'],
    [
      {
        'A.xcworkspace/contents.xcworkspacedata':
          '<FileRef location="group:a/A.xcodeproj"/><FileRef location="group:b/B.xcodeproj"/>',
      },
      'A.xcworkspace has several Xcode projects ("a/A.xcodeproj", "b/B.xcodeproj")',
    ],
    [{ 'A.xcworkspace/contents.xcworkspacedata': '<a' }, 'names no Xcode project of this repository'],
  ])('that is not clear is refused: %#', async (files, message) => {
    await expect(find(files)).rejects.toThrow(message);
  });

  it('is not one behind a link that leads out', async () => {
    const copy = await WorkingCopy.with({ 'a.txt': '' });
    symlinkSync('/', join(copy.root, 'ios'));
    await expect(findIosFolder(copy.files, '')).rejects.toThrow('leads out of the project');
  });

  it('has a web step if Capacitor fills it, and none if it is native', async () => {
    const native = await WorkingCopy.with({
      ...at('A.xcodeproj'),
      'package.json': '{"scripts":{"build":"x"}}',
    });
    expect(await findIosWebBuild(native.files, '', npm)).toBeNull();
    const capacitor = await WorkingCopy.with({ ...CAPACITOR, ...at('ios/App/App.xcodeproj') });
    await expect(findIosWebBuild(capacitor.files, '', npm)).rejects.toThrow('There is no package.json');
  });
});

describe('the scheme', () => {
  const PROJECT = 'App.xcodeproj';
  const SCHEMES = `${PROJECT}/xcshareddata/xcschemes`;
  const targets = [WIDGET, APP, { ...APP, name: 'Staging' }];

  async function scheme(
    files: Files,
    environment: Readonly<Record<string, string>> = {},
    workspacePath: string | null = null,
    action: 'archive' | 'run' = 'archive',
  ): Promise<Scheme> {
    const copy = await WorkingCopy.with({ [`${PROJECT}/project.pbxproj`]: pbxproj({ targets }), ...files });
    const project = {
      kind: 'native',
      dir: '',
      projectPath: PROJECT,
      workspacePath,
      hasPodfile: false,
    } as const;
    return findScheme(copy.files, project, { payload: payload(environment) }, action);
  }

  it('is the only one that is shared, with its app and the configuration of its action', async () => {
    const files = { [`${SCHEMES}/Shop (Live).xcscheme`]: xcscheme([0, 2], { archive: 'Store', run: 'Dev' }) };
    expect(await scheme(files)).toEqual({ scheme: 'Shop (Live)', configuration: 'Store', target: 'Staging' });
    expect((await scheme(files, {}, null, 'run')).configuration).toBe('Dev');
  });

  it('is of several the one that is called as an app, or that of IOS_SCHEME', async () => {
    const files = {
      [`${SCHEMES}/App.xcscheme`]: xcscheme([1]),
      [`${SCHEMES}/Widget.xcscheme`]: xcscheme([0, 1]),
      'App.xcworkspace/xcshareddata/xcschemes/Both &.xcscheme': xcscheme([1, 2]),
    };
    expect(await scheme(files)).toEqual({ scheme: 'App', configuration: 'Release', target: 'App' });
    expect(await scheme(files, { IOS_SCHEME: ' Widget ' })).toMatchObject({
      scheme: 'Widget',
      target: 'App',
    });
    await expect(scheme(files, { IOS_SCHEME: 'Nope' }, 'App.xcworkspace')).rejects.toThrow(
      'IOS_SCHEME is "Nope", but the project has the schemes "Both &", "App", "Widget".',
    );
  });

  it('is one of each app if none is shared', async () => {
    await expect(scheme({})).rejects.toThrow(
      'The project has several schemes: set IOS_SCHEME to one of "App", "Staging".',
    );
    expect(await scheme({}, { IOS_SCHEME: 'Staging' })).toEqual({
      scheme: 'Staging',
      configuration: 'Release',
      target: 'Staging',
    });
  });

  it.each([
    '-allowProvisioningUpdates',
    '$(id)',
    'App;id',
    'App\n-x',
    'a`id`',
    'a|b',
    "a'b",
    'a/../b',
    'x'.repeat(201),
  ])('is not %j', async (value) => {
    await expect(scheme({}, { IOS_SCHEME: value })).rejects.toThrow(
      `IOS_SCHEME is ${JSON.stringify(value.slice(0, 200))}, which cannot be the name of a scheme`,
    );
  });

  it.each([
    ['A.xcscheme', xcscheme([0]), 'The scheme "A" builds no app of App.xcodeproj'],
    ['A.xcscheme', xcscheme([1], { project: 'Other' }), 'builds no app'],
    ['A.xcscheme', '<Scheme>'.repeat(100_000), 'builds no app'],
    ['A.xcscheme', ' '.repeat(1024 * 1024 + 1), 'is larger than'],
    ['..xcscheme', xcscheme([1]), 'begins with "-" or "."'],
    ['a\\b.xcscheme', xcscheme([1]), 'has "/", "\\"'],
    ['-a\n.xcscheme', xcscheme([1]), 'begins with "-" or ".", has "/"'],
  ])('in %j is not used: %#', async (name, xml, message) => {
    await expect(scheme({ [`${SCHEMES}/${name}`]: xml })).rejects.toThrow(message);
  });
});
