import type { FailureRule } from '../failure-rule.js';
import { packageAdvice } from './machine.rules.js';

/** What pnpm, Yarn, Bun and Corepack say. */
export const packageManagerRules: readonly FailureRule[] = [
  {
    name: 'lock-out-of-step',
    mark: /\bERR_PNPM_(?:OUTDATED_LOCKFILE|FROZEN_LOCKFILE_WITH_OUTDATED_LOCKFILE)\b|^error Your lockfile needs to be updated|^➤ YN0028: │ The lockfile would have been (?:created|modified) by this install|^error: lockfile had changes, but lockfile is frozen/,
    cause: () => 'The lock file does not fit package.json.',
    shows:
      /^(?: {2}|\* )\s{0,8}(?:\d{1,5} dependenc|- |specifiers in the lockfile \()|^➤ YN0028: │ [+-] {2,6}\S{1,100}: \S|^note: dependencies in package\.json changed/,
    advice: [
      'Install on your machine, with the package manager of the project, and commit the lock file together with package.json.',
    ],
  },
  {
    name: 'program-of-package-missing',
    mark: /^(?: ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL  |\[ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL\] |  × |error )Command "([\w.@/-]{1,100})" not found|^Usage Error: Couldn't find a script named "([\w.@/-]{1,100})"/,
    detail: /(?:Command |script named )"([\w.@/-]{1,100})"/,
    cause: (detail) => `The project does not have the package of the command ${detail ?? 'that runs'}.`,
    advice: packageAdvice,
  },
  {
    name: 'corepack',
    mark: /^(?:Internal )?Error: E(?:ROFS|ACCES|PERM): .{1,100}\bcorepack\b/,
    cause: () => 'Corepack cannot install package managers in builds.',
    advice: [
      'Remove "corepack enable" and "corepack prepare" from the command: builds have the version that "packageManager" of package.json names.',
    ],
  },
];
