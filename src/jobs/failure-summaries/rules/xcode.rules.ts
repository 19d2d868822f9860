import type { FailureRule } from '../failure-rule.js';

const VERSIONS =
  'XCODE_VERSION in the environment chooses one of those that the runner has: "slipway runner doctor" lists them.';

/** What xcodebuild says about Xcode itself, the project, its schemes and scripts. */
export const xcodeRules: readonly FailureRule[] = [
  {
    name: 'xcode-scheme',
    mark: /xcodebuild: error: The (?:workspace|project) named ".{1,200}" does not contain a scheme named "(.{0,200}?)"\./,
    cause: (detail) =>
      `The Xcode project has no scheme ${detail === '' ? 'without a name' : (detail ?? '')}.`,
    advice: [
      'Set IOS_SCHEME in the environment to the name of a scheme.',
      'Mark the scheme as shared (Manage Schemes in Xcode), and commit the folder xcshareddata.',
    ],
  },
  {
    name: 'xcode-scheme-action',
    mark: /error: (?:The scheme|Scheme) ['"“]?(.{1,200}?)['"”]? is not (?:currently )?configured for the (?:archive|build|archiving)/,
    cause: (detail) => `The scheme ${detail ?? ''} does not archive the app.`,
    advice: ['Let the scheme archive its target (Edit Scheme > Build), or set IOS_SCHEME to another one.'],
  },
  {
    name: 'xcode-platform',
    mark: /error:\s?((?:iOS|watchOS|tvOS|visionOS) [\d.]{1,12}) is not installed/,
    cause: (detail) => `The Xcode of the runner does not have the platform ${detail ?? ''}.`,
    advice: [
      'The operator of the runner installs it: xcodebuild -downloadPlatform iOS, with DEVELOPER_DIR of this Xcode.',
      `Or use another Xcode: ${VERSIONS}`,
    ],
  },
  {
    name: 'xcode-destination',
    mark: /xcodebuild: error: Unable to find a (?:destination|device) matching the provided destination specifier/,
    cause: () => 'The scheme cannot be built for iOS with this Xcode.',
    shows: /^\s{1,9}\{ ?(?:generic|platform):.{0,300}/,
    advice: [
      'Check that the target supports iOS (SUPPORTED_PLATFORMS), and that IOS_SCHEME is the scheme of the app.',
      VERSIONS,
    ],
  },
  {
    name: 'xcode-sdk',
    mark: /error: SDK "([^"]{1,100})" cannot be located|error: unable to find sdk ['"]([^'"]{1,100})['"]/,
    cause: (detail) => `This Xcode does not have the SDK ${detail ?? 'of the project'}.`,
    advice: ['Set SDKROOT of the project to iphoneos, without a version.', VERSIONS],
  },
  {
    name: 'xcode-missing',
    mark: /xcode-select: error: tool '([^']{1,60})' requires Xcode|xcrun: error: (?:invalid|missing) (?:active developer path|DEVELOPER_DIR path)|xcode-select: [Ee]rror: (?:no|unable to get active) developer/,
    cause: () => 'A program looks for Xcode where there is none.',
    advice: [
      'Do not set DEVELOPER_DIR in the environment: XCODE_VERSION chooses the Xcode.',
      'The operator of the runner selects an Xcode for everything else: sudo xcode-select --switch /Applications/Xcode.app.',
    ],
  },
  {
    name: 'xcode-licence',
    mark: /[Yy]ou have not agreed to the Xcode (?:and Apple SDKs )?license|Agreeing to the Xcode\/iOS license requires admin privileges/,
    cause: () => 'The licence of this Xcode was not accepted on the runner.',
    advice: [
      'The operator of the runner accepts it: sudo xcodebuild -license accept, with DEVELOPER_DIR of this Xcode.',
    ],
  },
  {
    name: 'xcode-first-launch',
    mark: /A required plugin failed to load\. Please ensure system content is up-to-date|try running 'xcodebuild -runFirstLaunch'/,
    cause: () => 'This Xcode was never set up on the runner.',
    advice: [
      'The operator of the runner runs: sudo xcodebuild -runFirstLaunch, with DEVELOPER_DIR of this Xcode.',
    ],
  },
  {
    name: 'xcode-project-format',
    mark: /cannot be opened because it is in a future Xcode project file format(?: \((\d{1,4})\))?/,
    cause: () => 'The project was saved by a newer Xcode.',
    advice: [
      VERSIONS,
      'Or choose an older Project Format in Xcode (File inspector of the project), and commit project.pbxproj.',
    ],
  },
  {
    name: 'xcode-project-damaged',
    mark: /The project ['‘]([^'’]{1,200})['’] is damaged and cannot be opened/,
    cause: (detail) => `The project file of ${detail ?? 'the app'} is damaged, mostly by a merge.`,
    advice: ['Look for <<<<<<< and >>>>>>> in project.pbxproj, or take an older version of the file.'],
  },
  {
    name: 'xcode-container-missing',
    mark: /xcodebuild: error: '([^']{1,300}\.(?:xcworkspace|xcodeproj))' does not exist/,
    cause: (detail) => `There is no ${baseName(detail)} in the repository.`,
    advice: [
      'Commit the .xcodeproj folder. CocoaPods makes the workspace from it when the Podfile is beside it.',
      'Run npx cap add ios on your machine if the folder ios was never committed.',
    ],
  },
  {
    name: 'xcode-pods-not-installed',
    mark: /Unable to (?:open base configuration reference file|load contents of file list|find file list)[^\n]{0,300}Pods/,
    cause: () => 'The project uses pods that are not installed.',
    advice: [
      'Commit the Podfile: with it, the runner runs pod install.',
      'A project that has moved to Swift packages must not refer to Pods: pod deintegrate removes that.',
    ],
  },
  {
    name: 'xcode-input-missing',
    mark: /error: Build input files? cannot be found: '([^']{1,400})'/,
    cause: (detail) => `The project contains ${baseName(detail)}, which does not exist.`,
    advice: [
      'Commit the file: .gitignore often leaves out GoogleService-Info.plist and generated files.',
      'A file that must stay secret can be written by dependencyInstallCommand, from a secret of the environment.',
    ],
  },
  {
    name: 'xcode-duplicate-output',
    mark: /error: Multiple commands produce '([^']{1,400})'/,
    cause: (detail) => `Two parts of the project make ${baseName(detail)}.`,
    shows: /^note: Target '|^\s{4}(?:note: )?(?:Target|That command)/,
    advice: [
      'Remove one of them, such as Info.plist in Copy Bundle Resources, or a file that a pod brings, too.',
    ],
  },
  {
    name: 'xcode-script-sandbox',
    mark: /error: Sandbox: (\S{1,60}?)\(\d{1,9}\) deny\(\d\) (?:file-|network)/,
    cause: (detail) => `Xcode forbids ${detail ?? 'a script'} of a build phase to use a file.`,
    shows: /^error: Sandbox: /,
    advice: [
      'Set ENABLE_USER_SCRIPT_SANDBOXING to NO for the target, or list the files of the script as its inputs and outputs.',
    ],
  },
  {
    name: 'xcode-script-command',
    mark: /^\/\S{1,400}\.sh: line \d{1,6}: (?!\/)([^:\s]{1,200}): command not found$|^env: (?!(?:ba)?sh\b)([\w.-]{1,100}): No such file or directory$/,
    cause: (detail) =>
      `A script of the Xcode project uses ${detail ?? 'a program'}, which the runner does not have.`,
    detail: /^(?:\/\S{1,400}\.sh: line \d{1,6}|env): ([^:\s]{1,200}): /,
    advice: [
      'Let the script do without it in builds: they set CI to true.',
      'Or the operator of the runner installs it in a folder of RUNNER_TOOLS_DIR.',
    ],
  },
  {
    name: 'xcode-failed',
    isGeneral: true,
    reach: 200,
    mark: /^\*\* (?:ARCHIVE|BUILD|EXPORT) FAILED \*\*$/,
    detail: /^(?:Command|\s{1,4}(?=[A-Z]\w{1,40} )) ?([A-Z]\w{1,40}) /,
    cause: failedCommand,
    shows: /(?:^|[\s:])(?:fatal )?error: |^Command \w{1,60} failed/,
    advice: (detail) =>
      detail === 'PhaseScriptExecution'
        ? [
            'Read what the script has printed, above "Command PhaseScriptExecution failed".',
            'Run the archive on your machine in a fresh clone, with the same Xcode: Product > Archive.',
          ]
        : [
            'Run the archive on your machine in a fresh clone, with the same Xcode: Product > Archive.',
            VERSIONS,
          ],
  },
];

/** @param command what Xcode calls the step of its build that failed */
function failedCommand(command: string | undefined): string {
  if (command === undefined) return 'xcodebuild has failed.';
  if (command === 'PhaseScriptExecution') return 'A script of the Xcode project has failed.';
  if (command === 'Ld') return 'The linker of Xcode has failed.';
  return `xcodebuild has failed in ${command}.`;
}

function baseName(path = ''): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
