import type { FailureRule } from '../failure-rule.js';

const RENEW_LOCK =
  'Run npm install on your machine, and commit package.json together with package-lock.json.';

/** What npm says about packages and package.json. Older versions print `npm ERR!`. */
export const npmPackageRules: readonly FailureRule[] = [
  {
    name: 'npm-not-found',
    mark: /^npm (?:error|ERR!) code E404$/,
    detail:
      /^npm (?:error|ERR!) 404 {1,3}(?:The requested resource )?'([^']{1,200})' (?:could not be found|is not in)/,
    cause: (detail) => `npm cannot find the package ${detail ?? 'that is named below'}.`,
    shows: /^npm (?:error|ERR!) 404 (?:Not Found| ?'|  The requested)/,
    advice: [
      'Check its name and version in package.json.',
      'If it is private, add a token for its registry as a secret of the environment, and use it in .npmrc.',
    ],
  },
  {
    name: 'npm-no-version',
    mark: /^npm (?:error|ERR!) notarget No matching version found for (\S{1,200})\.$/,
    cause: (detail) => `The registry has no version of ${detail ?? 'the package'}.`,
    advice: ['Correct the version in package.json.', RENEW_LOCK],
  },
  {
    name: 'npm-conflict',
    mark: /^npm (?:error|ERR!) code ERESOLVE$/,
    detail: /^npm (?:error|ERR!) (?:Conflicting )?peer (?:dependency: )?(\S{1,200})/,
    cause: (detail) => `Packages need versions that do not fit together: ${detail ?? 'see below'}.`,
    shows:
      /^npm (?:error|ERR!) (?:While resolving:|Found:|Could not resolve|(?:Conflicting )?peer| {2}\S{1,200} from the root)/,
    advice: [
      'Choose versions in package.json that fit together, and commit the new package-lock.json.',
      'To install them regardless, set dependencyInstallCommand in capawesome.config.json to npm install --legacy-peer-deps.',
    ],
  },
  {
    name: 'npm-lock-out-of-step',
    mark: /^npm (?:error|ERR!) `npm ci` can only install packages when your package\.json and/,
    cause: () => 'package-lock.json does not fit package.json.',
    shows: /^npm (?:error|ERR!) (?:Invalid|Missing): /,
    advice: [RENEW_LOCK],
  },
  {
    name: 'npm-lock-missing',
    mark: /^npm (?:error|ERR!) The `npm ci` command can only install with an existing package-lock\.json/,
    cause: () => 'npm ci needs a package-lock.json, and there is none.',
    advice: [
      'Commit package-lock.json.',
      'If the project has none on purpose, set dependencyInstallCommand in capawesome.config.json to npm install.',
    ],
  },
  {
    name: 'npm-integrity',
    mark: /^npm (?:error|ERR!) code EINTEGRITY$/,
    cause: () => 'A package is not the one that package-lock.json expects: its checksum differs.',
    shows: /^npm (?:error|ERR!) sha\d{1,3}-|^npm (?:warn|WARN) tarball/,
    advice: [
      'If the package was published again on purpose, delete its entry in package-lock.json, run npm install and commit the result.',
      'Otherwise do not trust it: an attacker or a proxy may have changed it.',
    ],
  },
  {
    name: 'npm-script-missing',
    mark: /^npm (?:error|ERR!) Missing script: "([^"]{1,200})"/,
    cause: (detail) => `package.json has no script "${detail ?? ''}".`,
    advice: [
      'Add the script to package.json, or set webBuildCommand in capawesome.config.json.',
      'In a repository of several projects, "baseDir" of capawesome.config.json must name the folder of the app.',
    ],
  },
  {
    name: 'npm-package-json-invalid',
    mark: /^npm (?:error|ERR!) code EJSONPARSE$/,
    cause: () => 'package.json is not valid JSON.',
    shows: /^npm (?:error|ERR!) JSON\.parse (?:Invalid|Unexpected|Expected)/,
    advice: ['Correct package.json: a comma too many and marks of a merge conflict are common reasons.'],
  },
  {
    name: 'npm-package-json-missing',
    mark: /^npm (?:error|ERR!) enoent Could not read package\.json/,
    cause: () => 'There is no package.json in the folder of the build.',
    advice: [
      'Commit package.json in the folder that "baseDir" of capawesome.config.json names, or in the root without one.',
    ],
  },
  {
    name: 'npm-engine',
    mark: /^npm (?:error|ERR!) code EBADENGINE$/,
    cause: () => 'The project, or a package of it, asks for another version of Node.js or npm.',
    shows: /^npm (?:error|ERR!) notsup /,
    advice: ['Choose the version with NODE_VERSION in the environment, or change engines in package.json.'],
  },
  {
    name: 'npm-dev-engines',
    mark: /^npm (?:error|ERR!) code EBADDEVENGINES$/,
    detail: /^npm (?:error|ERR!) EBADDEVENGINES (Invalid (?:name|semver version) .{1,300})$/,
    cause: (detail) =>
      `devEngines in package.json does not allow what installs the project: ${detail ?? 'see below'}.`,
    shows: /^npm (?:error|ERR!) EBADDEVENGINES (?:Invalid|  (?:current|required): )/,
    advice: devEnginesAdvice,
  },
  {
    name: 'npm-workspace-protocol',
    mark: /^npm (?:error|ERR!) Unsupported URL Type "(?:workspace|catalog|portal|patch|link):": (\S{1,200})$/,
    cause: (detail) => `npm does not know ${detail ?? 'workspace:*'}, which belongs to pnpm, Yarn and Bun.`,
    advice: [
      'Commit the lock file of your package manager, or "packageManager" in package.json, in the root of the workspace, and no "dependencyInstallCommand" that calls npm: builds then install with it.',
      'To install with npm, commit "*" in place of workspace:*, and the folders of the packages as workspaces in package.json.',
    ],
  },
  {
    name: 'npm-install-script',
    isGeneral: true,
    mark: /^npm (?:error|ERR!) command (?:sh -c|failed)/,
    cause: () => 'A script that npm runs during the installation has failed.',
    shows: /^npm (?:error|ERR!) (?:path|command) |^[A-Za-z]{0,40}Error: |^gyp ERR! /,
    advice: [
      'Read the lines before the errors of npm: they are those of the script.',
      'Packages with parts in C or C++ need a version of Node.js that they support, and a compiler otherwise.',
    ],
  },
];

/** @param detail what npm says does not fit, such as `Invalid name "pnpm" does not match "npm" for "packageManager"` */
function devEnginesAdvice(detail = ''): readonly string[] {
  if (detail.endsWith('"packageManager"')) {
    return [
      'Remove "dependencyInstallCommand" from capawesome.config.json: builds then install with the package manager that devEngines names.',
      'Or commit "onFail": "warn" beside the name of the package manager in package.json.',
    ];
  }
  const [, major = '24'] = /^Invalid semver version "\D{0,9}(\d{1,3})/.exec(detail) ?? [];
  return [
    `Choose the version of Node.js with a variable of the environment: NODE_VERSION=${major}.`,
    'Or commit a version in devEngines of package.json that builds have, such as "version": ">=22", or "onFail": "warn".',
  ];
}
