import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'plist';
import { Refused } from '../refused.ts';

/** The Xcode that DEVELOPER_DIR chooses: xcode-select(1), ENVIRONMENT. */
export interface StandInXcode {
  readonly version: string;
  readonly contents: string;
}

/** @throws Refused when DEVELOPER_DIR is no folder of an Xcode */
export function currentXcode(): StandInXcode {
  const developerDir = process.env['DEVELOPER_DIR'];
  if (developerDir === undefined || !existsSync(join(developerDir, 'usr/bin/xcodebuild'))) {
    throw new Refused(`xcrun: error: missing DEVELOPER_DIR path: ${developerDir}`, 1);
  }
  const contents = join(developerDir, '..');
  const facts = parse(readFileSync(join(contents, 'version.plist'), 'utf8')) as Record<string, string>;
  return { contents, version: facts['CFBundleShortVersionString'] ?? '' };
}

/**
 * xcodebuild(1), -checkFirstLaunchStatus: "Check if any First Launch tasks need to be performed." Every other call fails
 * before the licence is accepted, with EX_UNAVAILABLE.
 */
export function requireFirstLaunch({ contents }: StandInXcode): void {
  if (!existsSync(join(contents, 'first-launch-missing'))) return;
  throw new Refused(
    "You have not agreed to the Xcode license agreements. Please run 'sudo xcodebuild -license' from within a Terminal window to review and agree to the Xcode and Apple SDKs license.",
    69,
  );
}

/** Whether one version of Xcode is at least another. */
export function isAtLeast({ version }: StandInXcode, least: string): boolean {
  return version.localeCompare(least, 'en', { numeric: true }) >= 0;
}
