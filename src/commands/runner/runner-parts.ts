import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { VERSION } from '../../config/version.js';
import type { RunnerParts } from '../../runner/agent/agent.js';
import { exitCodes, RunnerEnd } from '../../runner/agent/runner-end.js';
import type { RunnerSettings } from '../../runner/agent/settings.js';
import { runDriver } from '../../runner/drivers/drivers.js';
import { sweepSigning } from '../../runner/drivers/ios/signing/leftovers.js';
import { findSandbox } from '../../runner/sandbox/find-sandbox.js';
import {
  NoSandboxError,
  type SandboxOptions,
  SandboxSettingError,
} from '../../runner/sandbox/sandbox-options.js';
import type { BuildOptions } from '../../runner/steps/build-options.js';
import { PUBLIC_REGISTRY } from '../../runner/steps/tools/store/package-registry.js';
import { toolFolders } from '../../runner/steps/tools/tool-folders.js';

/** The parts of a runner that are not its agent. */
export function runnerParts(settings: RunnerSettings): RunnerParts {
  const buildOptions = buildOptionsOf(settings);
  return {
    version: VERSION,
    runDriver: (run) => runDriver(run, buildOptions),
    removeLeftovers: () => sweepSigning(buildOptions.signingDir, buildOptions),
    findSandbox: async () => {
      try {
        // A sandbox shows only what is there.
        await mkdir(buildOptions.storeDir, { recursive: true });
        return await findSandbox(sandboxOptionsOf(settings));
      } catch (error) {
        if (error instanceof NoSandboxError) throw new RunnerEnd(exitCodes.noSandbox, error.message);
        if (error instanceof SandboxSettingError) throw new RunnerEnd(exitCodes.settings, error.message);
        throw error;
      }
    },
  };
}

export function buildOptionsOf(settings: RunnerSettings): BuildOptions {
  const { cacheMiB, nodeDir, androidHome, jdkDir, xcodeDir, toolsDir } = settings;
  const { memoryMiB, gitSubmodules, gitLfs, nodeDownloads } = settings;
  return {
    cacheDir: join(settings.dir, 'cache'),
    // Keychains and profiles are those of the user, whatever RUNNER_DIR is.
    signingDir: join(homedir(), '.slipway-signing'),
    cacheMiB,
    nodeDir,
    nodeDownloads,
    storeDir: join(settings.dir, 'tools'),
    toolRegistry: settings.npmRegistry ?? PUBLIC_REGISTRY,
    androidHome,
    jdkDir,
    xcodeDir,
    toolsDir,
    memoryMiB,
    gitSubmodules,
    gitLfs,
  };
}

export function sandboxOptionsOf(settings: RunnerSettings): SandboxOptions {
  const { trustRepositories, allow, npmRegistry, memoryMiB, processes, diskMiB, url } = settings;
  const readOnly = toolFolders(buildOptionsOf(settings));
  return { trustRepositories, allow, npmRegistry, memoryMiB, processes, diskMiB, readOnly, apiUrl: url };
}
