import { configurations, infoText, schemeText } from './xcode-fixture-files.ts';

/** A target of a project that is written here. */
export interface FixtureTarget {
  readonly name: string;
  readonly bundleId: string;
  /** Default: an app. */
  readonly kind?: 'app' | 'extension';
  /** Further settings of the configuration Release and Debug. */
  readonly settings?: Readonly<Record<string, string>>;
}

const PRODUCT_TYPES = {
  app: 'com.apple.product-type.application',
  extension: 'com.apple.product-type.app-extension',
} as const;

/**
 * A project of Xcode by path, in the form in which Xcode writes one: the first target is the app, which embeds the others.
 *
 * @param dir with `/` at its end, or `''`
 * @param hasPackages whether it gets Swift packages
 */
export function xcodeProject(
  dir: string,
  [app, ...extensions]: readonly [FixtureTarget, ...FixtureTarget[]],
  hasPackages = false,
): Record<string, string> {
  const targets = [app, ...extensions];
  const root = `${dir}${app.name}.xcodeproj`;
  return {
    [`${root}/project.pbxproj`]: projectText(targets, hasPackages),
    [`${root}/xcshareddata/xcschemes/${app.name}.xcscheme`]: schemeText(app.name, id(2, 0)),
    ...Object.fromEntries(targets.map(({ name }) => [`${dir}${name}/Info.plist`, infoText(name)])),
    [`${dir}${app.name}/AppDelegate.swift`]: 'import UIKit\n\nclass AppDelegate {}\n',
  };
}

/** 24 hexadecimal digits, as Xcode names objects. */
function id(kind: number, index: number): string {
  return `${String(kind).padStart(4, '5')}${String(index).padStart(4, '0')}1FED79650016851F`;
}

function projectText(targets: readonly FixtureTarget[], hasPackages: boolean): string {
  const [app] = targets;
  const list = (ids: readonly string[]): string =>
    `(\n${ids.map((key) => `\t\t\t\t${key},\n`).join('')}\t\t\t)`;
  const embedded = targets.slice(1);
  return `// !$*UTF8*$!
{
	archiveVersion = 1;
	classes = {
	};
	objectVersion = 48;
	objects = {

/* Begin PBXContainerItemProxy section */
${embedded
  .map(
    ({ name }, index) => `		${id(1, index + 1)} /* PBXContainerItemProxy */ = {
			isa = PBXContainerItemProxy;
			containerPortal = ${id(9, 0)} /* Project object */;
			proxyType = 1;
			remoteGlobalIDString = ${id(2, index + 1)};
			remoteInfo = ${name};
		};
`,
  )
  .join('')}/* End PBXContainerItemProxy section */

/* Begin PBXCopyFilesBuildPhase section */
		${id(3, 0)} /* Embed Foundation Extensions */ = {
			isa = PBXCopyFilesBuildPhase;
			buildActionMask = 2147483647;
			dstPath = "";
			dstSubfolderSpec = 13;
			files = ${list(embedded.map((_target, index) => id(10, index + 1)))};
			name = "Embed Foundation Extensions";
			runOnlyForDeploymentPostprocessing = 0;
		};
/* End PBXCopyFilesBuildPhase section */

/* Begin PBXBuildFile section */
${embedded.map((_target, index) => `		${id(10, index + 1)} /* in Embed Foundation Extensions */ = {isa = PBXBuildFile; fileRef = ${id(4, index + 1)}; };\n`).join('')}/* End PBXBuildFile section */

/* Begin PBXFileReference section */
${targets.map(({ name, kind = 'app' }, index) => `		${id(4, index)} /* ${name} */ = {isa = PBXFileReference; explicitFileType = wrapper.application; includeInIndex = 0; path = ${name}.${kind === 'app' ? 'app' : 'appex'}; sourceTree = BUILT_PRODUCTS_DIR; };\n`).join('')}/* End PBXFileReference section */

/* Begin PBXGroup section */
		${id(5, 0)} = {
			isa = PBXGroup;
			children = ${list(targets.map((_target, index) => id(4, index)))};
			sourceTree = "<group>";
		};
/* End PBXGroup section */

/* Begin PBXNativeTarget section */
${targets
  .map(
    ({ name, kind = 'app' }, index) => `		${id(2, index)} /* ${name} */ = {
			isa = PBXNativeTarget;
			buildConfigurationList = ${id(6, index)} /* Build configuration list for PBXNativeTarget "${name}" */;
			buildPhases = ${list(index === 0 && embedded.length > 0 ? [id(3, 0)] : [])};
			buildRules = (
			);
			dependencies = ${list(index === 0 ? embedded.map((_target, other) => id(7, other + 1)) : [])};
			name = ${name};
			productName = ${name};
			productReference = ${id(4, index)} /* ${name} */;
			productType = "${PRODUCT_TYPES[kind]}";
		};
`,
  )
  .join('')}/* End PBXNativeTarget section */

/* Begin PBXProject section */
		${id(9, 0)} /* Project object */ = {
			isa = PBXProject;
			attributes = {
				LastUpgradeCheck = 1620;
			};
			buildConfigurationList = ${id(6, 99)} /* Build configuration list for PBXProject "${app?.name}" */;
			compatibilityVersion = "Xcode 8.0";
			developmentRegion = en;
			hasScannedForEncodings = 0;
			knownRegions = (
				en,
				Base,
			);
			mainGroup = ${id(5, 0)};
${hasPackages ? `			packageReferences = (\n				${id(8, 0)} /* XCRemoteSwiftPackageReference "capacitor-swift-pm" */,\n			);\n` : ''}			productRefGroup = ${id(5, 0)};
			projectDirPath = "";
			projectRoot = "";
			targets = ${list(targets.map((_target, index) => id(2, index)))};
		};
/* End PBXProject section */

/* Begin PBXTargetDependency section */
${embedded
  .map(
    ({ name }, index) => `		${id(7, index + 1)} /* PBXTargetDependency */ = {
			isa = PBXTargetDependency;
			target = ${id(2, index + 1)} /* ${name} */;
			targetProxy = ${id(1, index + 1)} /* PBXContainerItemProxy */;
		};
`,
  )
  .join('')}/* End PBXTargetDependency section */

/* Begin XCBuildConfiguration section */
${configurations([id(11, 99), id(12, 99)], { IPHONEOS_DEPLOYMENT_TARGET: '15.0', SDKROOT: 'iphoneos', 'CODE_SIGN_IDENTITY[sdk=iphoneos*]': 'iPhone Developer' })}${targets
    .map(({ name, bundleId, settings }, index) =>
      configurations([id(11, index), id(12, index)], {
        CODE_SIGN_STYLE: 'Automatic',
        CURRENT_PROJECT_VERSION: '7',
        INFOPLIST_FILE: `${name}/Info.plist`,
        MARKETING_VERSION: '1.2',
        PRODUCT_BUNDLE_IDENTIFIER: bundleId,
        PRODUCT_NAME: '$(TARGET_NAME)',
        ...settings,
      }),
    )
    .join('')}/* End XCBuildConfiguration section */

/* Begin XCConfigurationList section */
${[...targets.keys(), 99]
  .map(
    (index) => `		${id(6, index)} = {
			isa = XCConfigurationList;
			buildConfigurations = (
				${id(11, index)} /* Debug */,
				${id(12, index)} /* Release */,
			);
			defaultConfigurationIsVisible = 0;
			defaultConfigurationName = Release;
		};
`,
  )
  .join('')}/* End XCConfigurationList section */
${
  hasPackages
    ? `
/* Begin XCRemoteSwiftPackageReference section */
		${id(8, 0)} /* XCRemoteSwiftPackageReference "capacitor-swift-pm" */ = {
			isa = XCRemoteSwiftPackageReference;
			repositoryURL = "https://github.com/ionic-team/capacitor-swift-pm.git";
			requirement = {
				kind = exactVersion;
				version = 8.0.0;
			};
		};
/* End XCRemoteSwiftPackageReference section */
`
    : ''
}	};
	rootObject = ${id(9, 0)} /* Project object */;
}
`;
}
