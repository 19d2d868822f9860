import type { FailureRule } from '../failure-rule.js';

const CASE =
  'Check the spelling, also of capital letters: macOS and Windows find files whose name differs in them, Linux does not.';

/** What Vite 7 (Rollup) and Vite 8 (Rolldown) say. */
export const viteRules: readonly FailureRule[] = [
  {
    name: 'vite-package-missing',
    mark: /^(?:Error: )?\[vite\]: Roll(?:up|down) failed to resolve import "([^"]{1,300})" from/,
    cause: (detail) => `The code imports ${detail ?? 'a package'}, which is not installed.`,
    advice: [
      'Add the package to package.json, and commit package-lock.json with it.',
      'If it is installed on your machine, check that it is not a dependency of another package only.',
    ],
  },
  {
    name: 'vite-import',
    mark: /^(?:\[UNRESOLVED_IMPORT\] )?Could not resolve ["']([^"']{1,300})["'] (?:from|in) /,
    cause: (detail) => `The code imports ${detail ?? 'a file'}, which does not exist.`,
    advice: ['Check that the file is committed, and not listed in .gitignore.', CASE],
  },
  {
    name: 'vite-export',
    mark: /(?:^|: |\] )"([^"]{1,200})" is not exported by "[^"]{1,300}"/,
    cause: (detail) => `The code imports ${detail ?? 'something'}, which the other file does not export.`,
    shows: 4,
    advice: ['Export it there, or correct the import.', 'If it is a type, import it with import type.'],
  },
  {
    name: 'vite-entry',
    mark: /^Could not resolve entry module ["']([^"']{1,300})["']/,
    cause: (detail) => `Vite does not find ${detail ?? 'the file'} that it begins with.`,
    advice: [
      'Commit the file, or set root or build.rollupOptions.input in the configuration of Vite.',
      'In a repository of several projects, set baseDir in capawesome.config.json to the folder of the app.',
    ],
  },
  {
    name: 'vite-config',
    mark: /^failed to load config from (\S{1,500})/,
    cause: (detail) =>
      `The configuration of Vite cannot be loaded: ${detail?.split('/').at(-1) ?? 'see below'}.`,
    shows: 3,
    advice: ['Correct the configuration. It must run with the version of Node.js of the build, too.'],
  },
  {
    name: 'vite-error',
    isGeneral: true,
    mark: /^error during build:$/,
    cause: () => 'Vite found an error in the code.',
    shows: 8,
    advice: [
      'Correct the file that the lines name.',
      'Run the same command on your machine to see the error there.',
    ],
  },
];
