import type { FailureRule } from '../failure-rule.js';

const COMMIT = 'Run pod install on your machine, and commit Podfile and Podfile.lock.';

/** What CocoaPods says: `pod install`, and the check that its pods make when Xcode builds. */
export const cocoapodsRules: readonly FailureRule[] = [
  {
    name: 'cocoapods-deployment-target',
    mark: /^Specs satisfying the `([^`]{1,300})` dependency were found, but they required a higher minimum deployment target/,
    cause: (detail) =>
      `The pod ${podOf(detail)} needs a newer iOS than the deployment target of the project.`,
    shows: /^\[!\] CocoaPods could not find compatible versions|^\s{2,6}\S.{0,200}\(.{0,80}\)/,
    advice: [
      "Raise platform :ios, '…' in the Podfile, and the iOS Deployment Target of the project with it.",
      'Or use an older version of the plugin that needs the pod.',
    ],
  },
  {
    name: 'cocoapods-spec-missing',
    mark: /^(?:\[!\] Unable to find a specification for|None of your spec sources contain a spec satisfying the dependenc(?:y|ies):) `([^`]{1,300})`/,
    cause: (detail) => `CocoaPods finds no pod ${detail ?? 'of this name'}.`,
    shows: /^\s{2,6}\S.{0,200}\(.{0,80}\)/,
    advice: [
      'Check its name and version in the Podfile, and add the source of a private pod to the Podfile.',
      `A new version may be missing in the list of the runner, and in Podfile.lock. ${COMMIT}`,
    ],
  },
  {
    name: 'cocoapods-versions',
    mark: /^\[!\] CocoaPods could not find compatible versions for pod "([^"]{1,200})"/,
    cause: (detail) => `No version of the pod ${detail ?? ''} fits all that need it.`,
    shows: /^\s{2,6}\S.{0,200}\(.{0,80}\)|^\s{1,3}In (?:Podfile|snapshot)/,
    advice: [
      'Run pod update with the name of this pod on your machine, and commit Podfile.lock.',
      'If two plugins need different versions, update the older one.',
    ],
  },
  {
    name: 'cocoapods-cdn',
    mark: /^\[!\] (?:CDN: (?:trunk|[\w.-]{1,100}) (?:URL couldn't be downloaded: (https?:\/\/[^\s/]{1,200})|Repo update failed)|Unable to add a source with url `(?:[^`]{1,300})`)/,
    cause: (detail) =>
      `CocoaPods cannot reach the list of its pods${detail === undefined ? '' : ` at ${detail}`}.`,
    shows: /^CDN: .{0,200}(?:error|Response)/,
    advice: [
      'Build again: the server may have been away.',
      'If it fails again, the operator of the runner checks its network and proxy.',
    ],
  },
  {
    name: 'cocoapods-local-pod-missing',
    mark: /^\[!\] No podspec found for `([^`]{1,200})` in `[^`]{1,300}`/,
    cause: (detail) => `The Podfile uses the pod ${detail ?? ''} of a package that is not installed.`,
    advice: [
      'Add the package to package.json, or run npx cap sync ios (or cordova prepare ios) and commit the Podfile.',
      'Install all dependencies before: dependencyInstallCommand of capawesome.config.json may leave some out.',
    ],
  },
  {
    name: 'cocoapods-podfile',
    mark: /^\[!\] Invalid `?Podfile`? file: (.{1,200})/,
    cause: (detail) => `The Podfile cannot be read: ${detail ?? 'it has an error'}`,
    shows: /^\s{1,4}#\s{2}(?:from|>)/,
    advice: [
      'Correct the line that the log names.',
      'If it loads a file of node_modules that does not exist, the package is not installed, or has another version.',
    ],
  },
  {
    name: 'cocoapods-download',
    mark: /^\[!\] Error installing (\S{1,200})$/,
    cause: (detail) => `The source of the pod ${detail ?? ''} cannot be downloaded.`,
    shows: /^\[!\] \S{0,200}(?:git|curl) |^(?:fatal|error|curl): /,
    advice: [
      'Check that its address exists, and that the user of the runner may read it.',
      'Builds give CocoaPods no credentials of private repositories.',
    ],
  },
  {
    name: 'cocoapods-target-missing',
    mark: /^\[!\] Unable to find a target named `([^`]{1,200})` in project `([^`]{1,200})`/,
    cause: (detail) => `The Podfile names the target ${detail ?? ''}, which the Xcode project does not have.`,
    advice: ['Give the target of the Podfile the name of the target in Xcode.'],
  },
  {
    name: 'cocoapods-project-missing',
    mark: /^\[!\] (?:Unable to find the Xcode project|Could not automatically select an Xcode project)/,
    cause: () => 'CocoaPods does not know which Xcode project the Podfile belongs to.',
    advice: ["Commit the .xcodeproj folder beside the Podfile, and name it there: project 'App.xcodeproj'."],
  },
  {
    name: 'cocoapods-static-binaries',
    mark: /^\[!\] The '([^']{1,200})' target has transitive dependencies that include statically linked binaries/,
    cause: () => 'The Podfile asks for dynamic frameworks, and a pod has a static library.',
    advice: ['Write use_frameworks! :linkage => :static in the Podfile, or leave use_frameworks! out.'],
  },
  {
    name: 'cocoapods-modular-headers',
    mark: /^The Swift pod `([^`]{1,200})` depends upon .{1,300} not define modules/,
    cause: (detail) => `The Swift pod ${detail ?? ''} imports pods that define no modules.`,
    advice: [
      'Write use_modular_headers! in the Podfile, or :modular_headers => true for the pods that the log names.',
    ],
  },
  {
    name: 'cocoapods-hook',
    mark: /^\[!\] An error occurred while processing the (pre-install|post-install|pre-integrate|post-integrate) hook/,
    cause: (detail) => `The ${detail ?? ''} hook of the Podfile has failed.`,
    shows: 3,
    advice: ['Correct the hook: the first line below the message says what it does not find.', COMMIT],
  },
  {
    name: 'cocoapods-lock-changed',
    mark: /^\[!\] There were changes to the (podfile|lockfile) in deployment mode:/,
    cause: () => 'Podfile.lock does not fit the Podfile.',
    shows: 4,
    advice: [COMMIT],
  },
  {
    name: 'cocoapods-plugin-missing',
    mark: /^\[!\] Your Podfile requires that the plugin `([^`]{1,200})` be installed/,
    cause: (detail) => `The Podfile needs the plugin ${detail ?? ''} of CocoaPods.`,
    advice: [
      'The operator of the runner installs it (gem install), beside CocoaPods. Or leave it out of the Podfile.',
    ],
  },
  {
    name: 'cocoapods-project-format',
    mark: /\[Xcodeproj\] Unable to find compatibility version string for object version `(\d{1,4})`|attempted to initialize an object with unknown ISA `(?:PBXFileSystem\w{1,60})`/,
    cause: () => 'This version of CocoaPods does not know the format of the Xcode project.',
    advice: [
      'The operator of the runner updates CocoaPods and xcodeproj.',
      'Or choose an older Project Format in Xcode (File inspector of the project), and commit project.pbxproj.',
    ],
  },
  {
    name: 'cocoapods-ruby',
    mark: /uninitialized constant ActiveSupport::|can't find gem cocoapods \(|Could not find 'cocoapods' \(|cocoapods requires Ruby version (?:>=|~>)|requires Ruby version >= [\d.]{1,12}\. The current ruby version is|\(Gem::(?:MissingSpecVersionError|GemNotFoundException)\)/,
    cause: () => 'CocoaPods does not start: its Ruby, or a gem, does not fit.',
    advice: [
      'The operator of the runner installs CocoaPods for a current Ruby (brew install cocoapods), and names its folder in RUNNER_TOOLS_DIR.',
      '"slipway runner doctor" then shows its version.',
    ],
  },
  {
    name: 'cocoapods-encoding',
    mark: /^Unicode Normalization not appropriate for ASCII-8BIT|CocoaPods requires your terminal to be using UTF-8 encoding/,
    cause: () => 'CocoaPods runs without UTF-8.',
    advice: ['Set LANG to en_US.UTF-8 in the environment of the build, or do not change it there.'],
  },
  {
    name: 'cocoapods-root',
    mark: /^\[!\] You cannot run CocoaPods as root/,
    cause: () => 'The runner runs as root, which CocoaPods refuses.',
    advice: ['The operator of the runner starts it as an ordinary user.'],
  },
  {
    name: 'cocoapods-sandbox',
    mark: /error: The sandbox is not in sync with the Podfile\.lock/,
    cause: () => 'The pods that are installed are not those of Podfile.lock.',
    advice: [
      'Do not change Podfile.lock after pod install, such as in a script of the project.',
      'Do not commit the folder Pods, or commit it together with Podfile.lock.',
    ],
  },
];

/** `Firebase/Core (= 10.25.0), Firebase/Core (~> 10.0)` is about the first one. */
function podOf(dependency = ''): string {
  return dependency.split(' (', 1)[0] ?? '';
}
