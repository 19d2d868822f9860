import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BuildPayloadDto } from '../../../../src/native-builds/runner-builds/build-payload.dto.js';
import { ProjectFolder } from '../../../../src/runner/steps/project/project-folder.js';

/** The files of a project by path. */
export type Files = Readonly<Record<string, string>>;

/** A target of a project that tests make, in the form in which Xcode writes it. */
export interface FixtureTarget {
  readonly name: string;
  /** Behind `com.apple.product-type.`. */
  readonly product: string;
  /** As they stand in the file, with quotes where they need some. */
  readonly settings: Readonly<Record<string, string>>;
  /** Names of other targets. */
  readonly embeds?: readonly string[];
  /** Files of its resources, or groups `InfoPlist.strings` by their languages. */
  readonly translatedTo?: readonly string[];
}

export interface FixtureProject {
  readonly targets: readonly FixtureTarget[];
  /** Of the project itself. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Path of an xcconfig of all targets, of the project. */
  readonly xcconfigs?: { readonly target?: string; readonly project?: string };
  /** Comment behind the first line, as Cordova has one. */
  readonly licence?: string;
}

export const APP: FixtureTarget = {
  name: 'App',
  product: 'application',
  settings: {
    '"CODE_SIGN_IDENTITY[sdk=iphoneos*]"': '"iPhone Developer"',
    CODE_SIGN_STYLE: 'Automatic',
    CURRENT_PROJECT_VERSION: '1',
    INFOPLIST_FILE: 'App/Info.plist',
    MARKETING_VERSION: '1.0',
    PRODUCT_BUNDLE_IDENTIFIER: 'com.acme.shop',
    PRODUCT_NAME: '"$(TARGET_NAME)"',
  },
};

export const WIDGET: FixtureTarget = {
  name: 'Widget',
  product: 'app-extension',
  settings: {
    CURRENT_PROJECT_VERSION: '1',
    GENERATE_INFOPLIST_FILE: 'YES',
    INFOPLIST_KEY_CFBundleDisplayName: 'Widget',
    MARKETING_VERSION: '1.0',
    PRODUCT_BUNDLE_IDENTIFIER: 'com.acme.shop.widget',
  },
};

/** A project file with the targets, each in the configurations `Debug` and `Release`. */
export function pbxproj({ targets, settings = {}, xcconfigs = {}, licence = '' }: FixtureProject): string {
  const lines: string[] = [];
  const group: string[] = [];
  const fileAt = (id: string, path: string): string => {
    lines.push(
      `\t\t${id} /* ${path} */ = {isa = PBXFileReference; lastKnownFileType = text; path = "${path}"; sourceTree = "<group>"; };`,
    );
    group.push(id);
    return id;
  };
  const configurations = (
    id: string,
    values: Readonly<Record<string, string>>,
    base: string | undefined,
  ): void => {
    const file = base === undefined ? null : fileAt(`${id}BASE`, base);
    for (const name of ['Debug', 'Release']) {
      lines.push(`\t\t${id}${name} /* ${name} */ = {`, '\t\t\tisa = XCBuildConfiguration;');
      if (file !== null) lines.push(`\t\t\tbaseConfigurationReference = ${file} /* ${base} */;`);
      lines.push('\t\t\tbuildSettings = {');
      for (const [key, value] of Object.entries(values)) lines.push(`\t\t\t\t${key} = ${value};`);
      lines.push('\t\t\t};', `\t\t\tname = ${name};`, '\t\t};');
    }
    lines.push(
      `\t\t${id}LIST = {`,
      '\t\t\tisa = XCConfigurationList;',
      '\t\t\tbuildConfigurations = (',
      `\t\t\t\t${id}Debug /* Debug */,`,
      `\t\t\t\t${id}Release /* Release */,`,
      '\t\t\t);',
      '\t\t\tdefaultConfigurationName = Release;',
      '\t\t};',
    );
  };
  configurations('PROJECT', settings, xcconfigs.project);
  const idOf = (name: string): string => `T${targets.findIndex((target) => target.name === name)}X`;
  for (const { name, product, settings: own, embeds = [], translatedTo = [] } of targets) {
    const id = idOf(name);
    configurations(id, own, xcconfigs.target);
    const copied = embeds.map((other) => `${id}${idOf(other)}COPY`);
    for (const other of embeds) {
      lines.push(
        `\t\t${id}${idOf(other)}COPY /* ${other} in Embed */ = {isa = PBXBuildFile; fileRef = ${idOf(other)}PRODUCT; };`,
      );
    }
    const languages = translatedTo.map((language, index) => {
      const file = `${id}LANGUAGE${index}`;
      lines.push(
        `\t\t${file} = {isa = PBXFileReference; name = ${language}; path = "${language}.lproj/InfoPlist.strings"; sourceTree = "<group>"; };`,
      );
      return file;
    });
    lines.push(
      `\t\t${id}STRINGS = {isa = PBXVariantGroup; children = (${languages.join(', ')}); name = InfoPlist.strings; sourceTree = "<group>"; };`,
      `\t\t${id}RESOURCE = {isa = PBXBuildFile; fileRef = ${id}STRINGS; };`,
      `\t\t${id}RESOURCES = {isa = PBXResourcesBuildPhase; files = (${id}RESOURCE); };`,
      `\t\t${id}FOLDER = {isa = PBXGroup; children = (${id}STRINGS); path = "${name}"; sourceTree = "<group>"; };`,
      `\t\t${id}PRODUCT = {isa = PBXFileReference; path = "${name}.product"; sourceTree = BUILT_PRODUCTS_DIR; };`,
      `\t\t${id}PHASE = {isa = PBXCopyFilesBuildPhase; dstSubfolderSpec = 13; files = (${copied.join(', ')}); };`,
      `\t\t${id} /* ${name} */ = {`,
      '\t\t\tisa = PBXNativeTarget;',
      `\t\t\tbuildConfigurationList = ${id}LIST;`,
      `\t\t\tbuildPhases = (${id}PHASE, ${id}RESOURCES);`,
      `\t\t\tname = "${name}";`,
      `\t\t\tproductReference = ${id}PRODUCT;`,
      `\t\t\tproductType = "com.apple.product-type.${product}";`,
      '\t\t};',
    );
    group.push(`${id}FOLDER`);
  }
  return [
    `// !$*UTF8*$!${licence === '' ? '' : `\n/*\n${licence}\n*/`}`,
    '{',
    '\tarchiveVersion = 1;',
    '\tobjects = {',
    ...lines,
    `\t\tMAIN = {isa = PBXGroup; children = (${group.join(', ')}); sourceTree = "<group>"; };`,
    '\t\tROOT /* Project object */ = {',
    '\t\t\tisa = PBXProject;',
    '\t\t\tattributes = {',
    '\t\t\t\tTargetAttributes = {',
    ...targets.flatMap(({ name }) => [
      `\t\t\t\t\t${idOf(name)} = {`,
      '\t\t\t\t\t\tDevelopmentTeam = OLDTEAM111;',
      '\t\t\t\t\t\tProvisioningStyle = Automatic;',
      '\t\t\t\t\t};',
    ]),
    '\t\t\t\t};',
    '\t\t\t};',
    '\t\t\tbuildConfigurationList = PROJECTLIST;',
    '\t\t\tmainGroup = MAIN;',
    `\t\t\ttargets = (${targets.map(({ name }) => idOf(name)).join(', ')});`,
    '\t\t};',
    '\t};',
    '\trootObject = ROOT /* Project object */;',
    '}',
    '',
  ].join('\n');
}

export const INFO_PLIST = infoPlist({
  CFBundleDisplayName: 'Shop',
  CFBundleIdentifier: '$(PRODUCT_BUNDLE_IDENTIFIER)',
  CFBundleShortVersionString: '$(MARKETING_VERSION)',
  CFBundleVersion: '$(CURRENT_PROJECT_VERSION)',
});

export function infoPlist(values: Readonly<Record<string, string>>): string {
  const entries = Object.entries(values).map(
    ([key, value]) => `\t<key>${key}</key>\n\t<string>${value}</string>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0">
<dict>
${entries.join('')}\t<key>UIFonts</key>
\t<array>
\t\t<dict>
\t\t\t<key>CFBundleVersion</key>
\t\t\t<string>not of the app</string>
\t\t</dict>
\t</array>
</dict>
</plist>
`;
}

/** A shared scheme. @param targets by their place in the project */
export function xcscheme(
  targets: readonly number[],
  { archive = 'Release', run = 'Debug', project = 'App' } = {},
): string {
  const reference = (target: number): string =>
    `<BuildableReference BuildableIdentifier = "primary" BlueprintIdentifier = "T${target}X" BlueprintName = "?" ReferencedContainer = "container:${project}.xcodeproj"></BuildableReference>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Scheme version = "1.3">
   <BuildAction><BuildActionEntries>
${targets.map((target) => `      <BuildActionEntry buildForRunning = "YES" buildForArchiving = "YES">${reference(target)}</BuildActionEntry>`).join('\n')}
   </BuildActionEntries></BuildAction>
   <TestAction buildConfiguration = "Testing"></TestAction>
   <LaunchAction buildConfiguration = "${run}"></LaunchAction>
   <ArchiveAction buildConfiguration = "${archive}"></ArchiveAction>
</Scheme>
`;
}

/** A working copy in a temporary folder. */
export class WorkingCopy {
  private constructor(
    readonly root: string,
    readonly files: ProjectFolder,
  ) {}

  static async with(files: Files): Promise<WorkingCopy> {
    const root = mkdtempSync(join(tmpdir(), 'slipway-ios-'));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return new WorkingCopy(root, await ProjectFolder.at(root));
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  /** The lines that are not in the other text, with `-` and `+`. */
  diff(path: string, before: string): string[] {
    const [old, now] = [before.split('\n'), this.read(path).split('\n')];
    return [
      ...minus(old, now).map((line) => `-${line.trim()}`),
      ...minus(now, old).map((line) => `+${line.trim()}`),
    ];
  }
}

/** A build with variables and a configuration, as far as the project needs it. */
export function payload(
  environment: Readonly<Record<string, string>>,
  configuration: Partial<NonNullable<BuildPayloadDto['configuration']>> | null = null,
): BuildPayloadDto {
  const none = { displayName: null, packageName: null, versionName: null, buildNumber: null };
  return {
    environment,
    secrets: {},
    configuration: configuration === null ? null : { ...none, ...configuration },
  } as unknown as BuildPayloadDto;
}

/** Each line as often as the other text does not have it. */
function minus(lines: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = counts.get(line) ?? 0;
    counts.set(line, count - 1);
    return count <= 0;
  });
}
