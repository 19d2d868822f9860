import type { FailureRule } from '../failure-rule.js';

const OPERATOR = 'The operator of the runner installs it with sdkmanager, in the SDK at RUNNER_ANDROID_HOME.';

/** What the Android Gradle plugin and its tools say: about the SDK, manifests, resources and code. */
export const androidRules: readonly FailureRule[] = [
  {
    name: 'android-sdk-missing',
    mark: /SDK location not found\. Define a valid SDK location/,
    cause: () => 'Gradle does not find an Android SDK.',
    advice: [
      'Remove sdk.dir from local.properties, and do not commit that file: the runner sets ANDROID_HOME.',
      'If the runner has no SDK, its operator sets RUNNER_ANDROID_HOME.',
    ],
  },
  {
    name: 'android-licences',
    mark: /Failed to install the following Android SDK packages as some licences have not been accepted/,
    detail: /^\s{1,9}([a-z][\w.;-]{1,80}) /,
    cause: (detail) =>
      `The SDK of the runner lacks ${detail ?? 'a package'}, whose licence was not accepted.`,
    shows: /^\s{1,9}[a-z][\w.;-]{1,80} (?:Android|NDK|CMake|Google)/,
    advice: [
      OPERATOR,
      'Or use a version in build.gradle that the runner has: "slipway runner doctor" lists them.',
    ],
  },
  {
    name: 'android-sdk-package',
    mark: /Failed to find (?:Build Tools revision|target with hash string|Platform SDK with path:?) ['"]?([\w.;-]{1,60})/,
    cause: (detail) =>
      `The SDK of the runner does not have ${detail ?? 'a package that the project asks for'}.`,
    advice: [
      OPERATOR,
      'Or use a version in build.gradle that the runner has: "slipway runner doctor" lists them.',
    ],
  },
  {
    name: 'android-ndk-missing',
    mark: /NDK (?:is )?not (?:installed|configured)|No version of NDK matched the requested version ([\d.]{1,30})|NDK at \S{1,300} did not have a source\.properties file/,
    cause: (detail) =>
      `The runner does not have the NDK${detail === undefined ? '' : ` ${detail}`} that the project asks for.`,
    advice: [OPERATOR, 'Or set ndkVersion in build.gradle to one that the runner has.'],
  },
  {
    name: 'android-compile-sdk',
    mark: /compileSdk(?:Version)? is not specified/,
    cause: () => 'A module has no compileSdk.',
    advice: [
      'Set compileSdk in the build.gradle of the module.',
      'In a Capacitor project, variables.gradle must be committed, and apply from: "variables.gradle" be in build.gradle.',
    ],
  },
  {
    name: 'android-namespace',
    mark: /Namespace not specified/,
    detail: /(?:project|module) '?(:[\w:.-]{1,200})/,
    cause: (detail) => `${detail === undefined ? 'A module' : `The module ${detail}`} has no namespace.`,
    advice: [
      'Set namespace in its build.gradle: since version 8 of the Android Gradle plugin, package in the manifest does not count.',
      'If it is a plugin, update it.',
    ],
  },
  {
    name: 'android-min-sdk',
    mark: /uses-sdk:minSdkVersion (\d{1,3}) cannot be smaller than version \d{1,3} declared in library/,
    cause: (detail) => `A library needs a higher minSdkVersion than ${detail ?? 'that of the app'}.`,
    shows: /declared in library \[/,
    advice: [
      'Raise minSdkVersion (in variables.gradle of a Capacitor project), or use an older version of the library.',
    ],
  },
  {
    name: 'android-manifest',
    mark: /Manifest merger failed(?: with multiple errors| : (.{1,200}))?/,
    cause: () => 'The manifests of the app and of its libraries do not fit together.',
    shows: /^(?:Error:|\s{0,9}(?:Suggestion: |Attribute ))|AndroidManifest\.xml:\d{1,6}/,
    advice: [
      'Follow the suggestion in the log: mostly a tools:replace or an android:exported in AndroidManifest.xml.',
    ],
  },
  {
    name: 'android-google-services',
    mark: /File google-services\.json is missing|No matching client found for package name '([^']{1,200})'/,
    cause: (detail) =>
      detail === undefined
        ? 'There is no google-services.json in the app module.'
        : `google-services.json has no client for ${detail}.`,
    advice: [
      'Commit android/app/google-services.json, or write it in dependencyInstallCommand from a secret of the environment.',
      'It must contain the package name that is built, also one that a configuration sets.',
    ],
  },
  {
    name: 'android-duplicate-class',
    mark: /^(?:\s{0,9}> )?Duplicate class (\S{1,300}) found in modules/,
    cause: (detail) => `Two libraries have the class ${detail ?? ''}.`,
    advice: [
      'Use versions of the libraries that fit together: ./gradlew :app:dependencies shows where they come from.',
      'Exclude one of them (exclude group, module) in build.gradle.',
    ],
  },
  {
    name: 'android-resources',
    mark: /(?:^|[\s:])error: (?:resource \S{1,200} .{0,200}not found|failed (?:linking|processing) )|Android resource (?:linking|compilation) failed/,
    cause: () => 'Resources of the app cannot be compiled.',
    shows: /\b(?:AAPT: )?error: /,
    advice: [
      'Check the files that the log names: a missing icon, color or string, or a file that was not committed.',
    ],
  },
  {
    name: 'android-kotlin',
    mark: /^e: (?:file:\/\/)?(\S{1,300}\.kts?):/,
    cause: (detail) => `The Kotlin compiler found an error in ${baseName(detail)}.`,
    shows: /^e: /,
    advice: ['Correct the lines that it names.', 'If the file belongs to a plugin, update the plugin.'],
  },
  {
    name: 'android-java',
    mark: /^(\/?\S{1,300}\.java):\d{1,6}: error: /,
    cause: (detail) => `The Java compiler found an error in ${baseName(detail)}.`,
    shows: /\.java:\d{1,6}: error: /,
    advice: ['Correct the lines that it names.', 'If the file belongs to a plugin, update the plugin.'],
  },
];

function baseName(path = ''): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
