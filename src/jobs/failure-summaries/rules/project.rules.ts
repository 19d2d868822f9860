import type { FailureRule } from '../failure-rule.js';
import { packageAdvice } from './machine.rules.js';

/** What Capacitor, Cordova and the runner say about a project. */
export const projectRules: readonly FailureRule[] = [
  {
    name: 'package-of-command-missing',
    mark: /^npm (?:error|ERR!) npx canceled due to missing packages and no YES option: \["(@?[\w./-]{1,100})@/,
    cause: (detail) => `The project does not have the package ${detail ?? ''}, whose command builds it.`,
    advice: packageAdvice,
  },
  {
    name: 'command-of-package-missing',
    mark: /^npm (?:error|ERR!) could not determine executable to run$/,
    // A line of the runner.
    detail: /^§ .{1,60}npx --no -- (cap|cordova) /,
    cause: (detail) => `The project does not have the package of the command ${detail ?? 'that npx runs'}.`,
    advice: packageAdvice,
  },
  {
    name: 'capacitor-config',
    mark: /^\[error\] Parsing capacitor\.config\.\w{2,4} failed\.$/,
    detail: /^ {8}(\w{0,40}Error: .{1,300})$/,
    cause: (detail) => `The configuration of Capacitor cannot be read: ${detail ?? 'see below'}.`,
    shows: 1,
    advice: [
      'Commit what it imports. A package must be in package.json.',
      'If it needs a variable, add it to the environment of the build, or commit a default: process.env.API_URL ?? "https://api.example.com".',
      'In a fresh clone, npx cap config --json shows the same error.',
    ],
  },
  {
    name: 'output-files',
    // A line of the runner.
    mark: /^§ The output has more than 20,?000 files/,
    cause: () => 'The output has more than 20,000 files, or more than 1 GiB: a bundle cannot.',
    advice: [
      'Commit the folder that holds the web app alone in capacitor.config.json: "webDir": "dist". One that holds node_modules or sources has too many files.',
      'Leave out what devices do not need, such as source maps. In vite.config.js: build: { sourcemap: false }.',
    ],
  },
];
