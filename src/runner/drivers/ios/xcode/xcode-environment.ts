import { homedir } from 'node:os';
import type { Xcode } from '../../../steps/tools/xcodes.js';

/** What chooses an Xcode, and makes its output readable, also for commands of the project. */
export function xcodeVariables({ developerDir }: Xcode): Record<string, string> {
  return { DEVELOPER_DIR: developerDir, LANG: 'en_US.UTF-8' };
}

/** What `xcodebuild` gets besides: keychains, their search list and profiles belong to the user, not to the job. */
export function xcodeEnvironment(xcode: Xcode): Record<string, string> {
  return { ...xcodeVariables(xcode), HOME: homedir() };
}
