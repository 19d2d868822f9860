import type { Check } from '../../sandbox/check.js';
import type { BuildOptions } from '../build-options.js';
import { askTool } from './ask-tool.js';
import { findTool } from './find-tool.js';
import { findStack } from './ios-tools.js';
import { findXcodes, type Xcode } from './xcodes.js';

type IosOptions = Pick<BuildOptions, 'xcodeDir' | 'toolsDir'>;

/**
 * Checks what builds of iOS apps need.
 *
 * @param isWanted whether the runner builds for iOS
 * @param keychain what checks that the runner can sign
 */
export async function iosChecks(
  options: IosOptions,
  isWanted: boolean,
  keychain: () => Promise<Check>,
): Promise<Check[]> {
  const { xcodeDir, toolsDir } = options;
  if (!isWanted) {
    const message = 'not set up: builds need a Mac with Xcode (RUNNER_XCODE_DIR).';
    return [{ name: 'iOS', status: 'ok', message }];
  }
  const xcodes = await findXcodes(xcodeDir);
  const program = await findTool('xcodebuild', toolsDir);
  return [
    tierCheck(),
    xcodeCheck(xcodes, program, xcodeDir),
    ...(program === null ? [] : await Promise.all(xcodes.map((xcode) => firstLaunchCheck(xcode, toolsDir)))),
    await stackCheck(toolsDir),
    await podCheck(toolsDir),
    await keychain(),
  ];
}

/** A Mac has nothing that keeps builds apart. */
function tierCheck(): Check {
  const message =
    'Builds run without a sandbox: trusted repositories only. The runner takes only the builds of its own organization.';
  return { name: 'iOS', status: 'warning', message };
}

function xcodeCheck(xcodes: readonly Xcode[], program: string | null, xcodeDir: string): Check {
  const name = 'Xcode';
  if (program === null) {
    const message =
      'The program xcodebuild is missing: run "xcode-select --install", or set RUNNER_TOOLS_DIR.';
    return { name, status: 'failed', message };
  }
  if (xcodes.length === 0) {
    const message = `There is no Xcode in ${xcodeDir}: install one, or set RUNNER_XCODE_DIR.`;
    return { name, status: 'failed', message };
  }
  const message = xcodes
    .map(({ version, isBeta, developerDir }) => `${version}${isBeta ? ' beta' : ''} (${developerDir})`)
    .join(', ');
  return { name, status: 'ok', message };
}

/** Before its first launch, an Xcode has no licence and lacks packages: `xcodebuild -checkFirstLaunchStatus` fails then. */
async function firstLaunchCheck({ version, developerDir }: Xcode, toolsDir: string | null): Promise<Check> {
  const name = `Xcode ${version}`;
  const env = { DEVELOPER_DIR: developerDir };
  const isReady = (await askTool('xcodebuild', ['-checkFirstLaunchStatus'], toolsDir, env)) !== null;
  if (isReady) return { name, status: 'ok', message: 'is set up.' };
  const folder = /^[\w./-]+$/.test(developerDir)
    ? developerDir
    : `'${developerDir.replaceAll("'", "'\\''")}'`;
  const start = `sudo DEVELOPER_DIR=${folder} xcodebuild`;
  const message = `It was never started, or its licence is not accepted: run "${start} -license accept" and "${start} -runFirstLaunch".`;
  return { name, status: 'failed', message };
}

async function stackCheck(toolsDir: string | null): Promise<Check> {
  const stack = await findStack(toolsDir);
  if (stack !== null) return { name: 'Stack', status: 'ok', message: stack };
  const message =
    'The version of macOS has no stack that builds can ask for: set RUNNER_STACKS, such as macos-tahoe.';
  return { name: 'Stack', status: 'warning', message };
}

async function podCheck(toolsDir: string | null): Promise<Check> {
  const version = await askTool('pod', ['--version'], toolsDir);
  if (version !== null) return { name: 'CocoaPods', status: 'ok', message: version };
  const message =
    'The program pod is missing: projects with a Podfile need it. Install it with "brew install cocoapods", or set RUNNER_TOOLS_DIR.';
  return { name: 'CocoaPods', status: 'warning', message };
}
