import type { BuildOptions } from '../build-options.js';
import { askTool } from './ask-tool.js';
import { findTool } from './find-tool.js';
import { findXcodes, type Xcode } from './xcodes.js';

/** The stacks of the official clients by the major version of macOS. */
const STACKS: Readonly<Record<string, string>> = {
  '15': 'macos-sequoia',
  '26': 'macos-tahoe',
  '27': 'macos-golden-gate',
};

/** What this machine has to build iOS apps. */
export interface IosTools {
  readonly xcodes: readonly Xcode[];
  /** Of macOS; `null`: it has none of the names that builds know. */
  readonly stack: string | null;
}

/** @returns `null`: this machine does not build iOS apps */
export async function findIosTools({
  xcodeDir,
  toolsDir,
}: Pick<BuildOptions, 'xcodeDir' | 'toolsDir'>): Promise<IosTools | null> {
  if ((await findTool('xcodebuild', toolsDir)) === null) return null;
  const xcodes = await findXcodes(xcodeDir);
  return xcodes.length === 0 ? null : { xcodes, stack: await findStack(toolsDir) };
}

/** The stack that the version of macOS determines. */
export async function findStack(toolsDir: string | null): Promise<string | null> {
  const version = await askTool('sw_vers', ['-productVersion'], toolsDir);
  const [, major] = /^(\d{1,3})(?:\.|$)/.exec(version ?? '') ?? [];
  return STACKS[major ?? ''] ?? null;
}
