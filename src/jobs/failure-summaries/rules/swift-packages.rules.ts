import type { FailureRule } from '../failure-rule.js';

const RESOLVED =
  'Resolve the packages on your machine (xcodebuild -resolvePackageDependencies), and commit Package.resolved.';

/** What the Swift Package Manager says inside of xcodebuild. */
export const swiftPackageRules: readonly FailureRule[] = [
  {
    name: 'swift-package-versions',
    mark: /Dependencies could not be resolved because (.{1,300})/,
    cause: () => 'No versions of the Swift packages fit together.',
    advice: [
      'Update the plugin that needs the older version. Plugins of Capacitor must fit its major version.',
      RESOLVED,
    ],
  },
  {
    name: 'swift-package-versions-older',
    mark: /because .{1,300}, version solving failed/,
    cause: () => 'No versions of the Swift packages fit together.',
    advice: [
      'Update the package that needs the older version, or choose a newer Xcode (XCODE_VERSION).',
      RESOLVED,
    ],
  },
  {
    name: 'swift-package-tools',
    mark: /package '?([^' ]{1,200})'?.{0,80} is using Swift tools version ([\d.]{1,12}) but the installed version is/,
    cause: (detail) => `The Swift package ${detail ?? ''} needs a newer Xcode.`,
    advice: [
      'Set XCODE_VERSION in the environment to a newer Xcode that the runner has: "slipway runner doctor" lists them.',
      'Or use an older version of the package.',
    ],
  },
  {
    name: 'swift-package-manifest-missing',
    mark: /the package (?:manifest )?at '([^']{1,400})' cannot be accessed/,
    cause: (detail) => `The Xcode project uses a local Swift package that does not exist: ${nameOf(detail)}.`,
    advice: [
      'If it lies in node_modules: add the npm package to package.json, and check that this version of it has a Package.swift.',
      'Run npx cap sync ios on your machine, and commit ios/App/CapApp-SPM/Package.swift.',
    ],
  },
  {
    name: 'swift-package-clone',
    mark: /^\s{0,9}(?:xcodebuild: error: |skipping cache due to an error: )?Failed to clone repository (\S{1,300}?):?$/i,
    cause: (detail) => `The Swift package ${detail ?? ''} cannot be fetched.`,
    shows: /^\s{0,9}(?:fatal: |Host key verification failed|.{0,200}Permission denied)/,
    advice: [
      'Check that its address exists. Use addresses that begin with https: the keys of SSH are those of the runner.',
      'xcodebuild fetches packages with the git settings of the user of the runner: its operator gives it access to private ones.',
    ],
  },
  {
    name: 'swift-package-authentication',
    mark: /^\s{0,9}(?:Authentication failed because (?:no credentials were provided|the credentials were rejected)|Host key verification failed)/,
    cause: () => 'The server of a Swift package refuses the credentials, or there are none.',
    shows: /Failed to clone repository \S|^\s{0,9}https?:\/\/\S/,
    advice: [
      'xcodebuild fetches packages with the git settings of the user of the runner: its operator gives it access (~/.netrc, or ~/.ssh and known_hosts).',
      'Or make the package public, or part of the repository.',
    ],
  },
  {
    name: 'swift-package-resolved',
    mark: /a resolved file is required when automatic dependency resolution is disabled|an out-of-date resolved file was detected|Package\.resolved file is corrupted or malformed/,
    cause: () => 'Package.resolved is missing, older than the project, or written by a newer Xcode.',
    advice: [RESOLVED, 'Use the same major version of Xcode as on your machine (XCODE_VERSION).'],
  },
  {
    name: 'swift-package-binary',
    mark: /failed downloading '([^']{1,400})' which is required by binary target '([^']{1,200})'|artifact of binary target '[^']{1,200}' failed (?:download|extraction)/,
    cause: () => 'The binary of a Swift package cannot be downloaded.',
    advice: [
      'Build again: the server may have been away.',
      'Check that this version of the package still has its file.',
    ],
  },
  {
    name: 'swift-package-checksum',
    mark: /checksum of downloaded artifact of binary target '([^']{1,200})' .{0,200}does not match/,
    cause: (detail) => `The binary of the Swift package ${detail ?? ''} is not the one that was published.`,
    advice: ['Update the package: its author has replaced the file of this version.'],
  },
  {
    name: 'swift-package-product-missing',
    mark: /error: Missing package product '([^']{1,200})'/,
    cause: (detail) => `Xcode does not find ${detail ?? 'a product'} among the Swift packages.`,
    shows: /Failed to resolve dependencies|Could not resolve package dependencies/,
    advice: ['Read the lines about packages above: one of them was not resolved.', RESOLVED],
  },
  {
    name: 'swift-package-macro',
    mark: /error: (?:Target '|Macro ["“])([^'"”]{1,200})['"”].{0,200}must be enabled before it can be used/,
    cause: (detail) => `Xcode asks whether it may trust the macro ${detail ?? ''} of a Swift package.`,
    advice: [
      'The runner answers this for its own xcodebuild. A script of the project that starts xcodebuild must pass -skipMacroValidation.',
    ],
  },
  {
    name: 'swift-package-plugin',
    mark: /^\s{0,9}Validate plug-in ["“]([^"”]{1,200})["”] in package/,
    cause: (detail) => `Xcode asks whether it may trust the plug-in ${detail ?? ''} of a Swift package.`,
    advice: [
      'The runner answers this for its own xcodebuild. A script of the project that starts xcodebuild must pass -skipPackagePluginValidation.',
    ],
  },
  {
    name: 'swift-package-duplicate',
    mark: /The workspace contains multiple references with the same GUID '([^']{1,200})'/,
    cause: () => 'Xcode sees the same Swift package twice.',
    advice: [
      'Refer to the package in one place only: in the project, or in another package, with the same address.',
      RESOLVED,
    ],
  },
  {
    name: 'swift-package-failed',
    isGeneral: true,
    mark: /^xcodebuild: error: Could not resolve package dependencies:/,
    cause: () => 'The Swift packages of the project cannot be resolved.',
    shows: 4,
    advice: [RESOLVED],
  },
];

function nameOf(path = ''): string {
  return path.split('/').slice(-4).join('/');
}
