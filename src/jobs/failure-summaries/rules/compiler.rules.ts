import type { FailureRule } from '../failure-rule.js';

const LOCALLY = 'Run the same command on your machine to see all errors.';

/** What Angular, esbuild and TypeScript say. */
export const compilerRules: readonly FailureRule[] = [
  {
    name: 'angular-budget',
    mark: /^(?:[✘X] )?\[ERROR\] .{0,400}exceeded maximum budget/,
    cause: () => 'The app is larger than its budget.',
    shows: /^(?:[✘X] )?\[ERROR\] .{0,400}exceeded maximum budget|Initial total/,
    advice: [
      'Find what is large: ng build --stats-json describes it. Load routes lazily.',
      'Or raise maximumError under budgets in angular.json.',
    ],
  },
  {
    name: 'angular-unknown-element',
    mark: /^(?:[✘X] )?\[ERROR\] NG8001: '([^']{1,200})' is not a known element/,
    cause: (detail) => `A template uses ${detail ?? 'an element'}, which its component does not import.`,
    shows: /^(?:[✘X] )?\[ERROR\] NG|^ {4}\S{1,300}:\d{1,7}:\d{1,5}:$/,
    advice: [
      'Add the component to imports of the component that uses it.',
      'For web components, add CUSTOM_ELEMENTS_SCHEMA to its schemas.',
    ],
  },
  {
    name: 'angular-import',
    mark: /^(?:[✘X] )?\[ERROR\] Could not resolve "([^"]{1,300})"/,
    cause: (detail) => `The code imports ${detail ?? 'a file'}, which does not exist.`,
    shows: 3,
    advice: [
      'Check that the file is committed, or that package.json has the package.',
      'Check the spelling, also of capital letters: Linux distinguishes them in names of files.',
    ],
  },
  {
    name: 'angular-code',
    isGeneral: true,
    mark: /^(?:[✘X] )?\[ERROR\] (?:TS|NG)\d{3,6}: /,
    cause: () => 'The Angular compiler found errors in the code.',
    shows: /^(?:[✘X] )?\[ERROR\] (?:TS|NG)\d|^ {4}\S{1,300}:\d{1,7}:\d{1,5}:$/,
    advice: ['Correct the files that the lines name.', LOCALLY],
  },
  {
    name: 'angular-configuration',
    mark: /Configuration '([^']{1,200})' for target '[^']{1,100}' in project '[^']{1,200}' is not set in the workspace/,
    cause: (detail) => `angular.json has no configuration ${detail ?? ''}.`,
    advice: ['Add the configuration to angular.json, or build with another one.'],
  },
  {
    name: 'angular-not-installed',
    mark: /^Error: Could not find the '([^']{1,200})' builder's node package/,
    cause: (detail) => `The package of the builder ${detail ?? 'in angular.json'} is not installed.`,
    advice: [
      'Add the package to devDependencies in package.json.',
      'Install devDependencies, too: NODE_ENV=production and npm ci --omit=dev leave them out.',
    ],
  },
  {
    name: 'typescript',
    isGeneral: true,
    mark: /^(?! )[^():]{1,300}(?:\(\d{1,7},\d{1,7}\)|:\d{1,7}:\d{1,7})(?::| -) error TS\d{1,6}: /,
    cause: () => 'TypeScript found errors in the code.',
    shows: /^(?! )[^():]{1,300}(?:\(\d{1,7},\d{1,7}\)|:\d{1,7}:\d{1,7})(?::| -) error TS\d{1,6}: /,
    advice: ['Correct the files that the lines name.', LOCALLY],
  },
];
