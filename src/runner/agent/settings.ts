import { readFileSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { JobPlatform } from '../../jobs/jobs/job.entity.js';
import { registryUrlOf } from '../sandbox/network/npm-registry.js';
import { SettingsError, SettingsReader } from './settings-reader.js';

/** What the operator says about a runner. */
export interface RunnerSettings {
  /** Origin of the API. */
  readonly url: string;
  readonly token: string;
  readonly name: string;
  /** Jobs at the same time. */
  readonly slots: number;
  readonly labels: readonly string[];
  /** Empty: those whose tools are found. */
  readonly platforms: readonly JobPlatform[];
  /** Empty: likewise. */
  readonly stacks: readonly string[];
  /** An absolute path. */
  readonly dir: string;
  /** Private networks and host names that builds may reach. */
  readonly allow: readonly string[];
  /**
   * The npm registry of builds and of the programs that they need, as `registryUrlOf` returns it; `null`: the one of the
   * project, or the default of npm.
   */
  readonly npmRegistry: string | null;
  /** For each job. */
  readonly memoryMiB: number;
  /** For each job. */
  readonly processes: number;
  /** For each job. */
  readonly diskMiB: number;
  /** For each app; 0: no cache. */
  readonly cacheMiB: number;
  /** Folder with further versions of Node.js. */
  readonly nodeDir: string | null;
  /** Whether builds get others from the npm registry. */
  readonly nodeDownloads: boolean;
  /** The Android SDK. An absolute path. */
  readonly androidHome: string | null;
  /** Folder with JDKs. An absolute path. */
  readonly jdkDir: string | null;
  /** Folder with versions of Xcode. An absolute path. */
  readonly xcodeDir: string;
  /** Folder with further programs. An absolute path. */
  readonly toolsDir: string | null;
  readonly gitSubmodules: boolean;
  /** `null`: where git-lfs is installed. */
  readonly gitLfs: boolean | null;
  readonly trustRepositories: boolean;
  /** Ends after one job. */
  readonly once: boolean;
  /** Shows the logs of builds. */
  readonly verbose: boolean;
}

/** The options of the command. Secrets are never among them: every user of the machine can read them. */
export interface RunnerFlags {
  readonly url?: string | undefined;
  readonly trustRepositories?: boolean | undefined;
  readonly once?: boolean | undefined;
  readonly verbose?: boolean | undefined;
}

const platforms: readonly JobPlatform[] = ['android', 'ios', 'web'];
const WORD = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,62}$/;
const WORDS = '1 to 63 letters, digits and ". _ : -" each, separated by commas';
/** A network such as `10.0.0.0/8`, or a host name that may begin with `*.`. */
const ALLOWED = /^([A-Za-z0-9_]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?|[0-9a-fA-F:.]+)(\/\d{1,3})?$/;
const MAX_MIB = 16_777_216;

/**
 * Reads the settings, and removes the token from the environment, so that no other program inherits it.
 *
 * @throws SettingsError for the first value that is missing or wrong
 */
export function readSettings(env: NodeJS.ProcessEnv, flags: RunnerFlags = {}): RunnerSettings {
  const token = takeToken(env);
  const read = new SettingsReader(env);
  return {
    url: originOf(flags.url, env),
    token,
    name: read.text('RUNNER_NAME', hostname().slice(0, 128) || 'runner', 128),
    slots: read.number('RUNNER_SLOTS', 1, 1, 16),
    labels: read.list('RUNNER_LABELS', [], 32, WORD, WORDS),
    platforms: platformsOf(read),
    stacks: read.list('RUNNER_STACKS', [], 16, WORD, WORDS),
    dir: resolve(read.text('RUNNER_DIR', join(homedir(), '.slipway-runner'), 4096)),
    allow: read.list(
      'RUNNER_ALLOW',
      [],
      256,
      ALLOWED,
      'networks and host names, such as 10.0.0.0/8,npm.corp.example.com',
    ),
    npmRegistry: npmRegistryOf(read),
    memoryMiB: read.number('RUNNER_MEMORY', 4096, 64, MAX_MIB),
    processes: read.number('RUNNER_PROCESSES', 1024, 16, 1_000_000),
    diskMiB: read.number('RUNNER_DISK', 10_240, 64, MAX_MIB),
    cacheMiB: read.number('RUNNER_CACHE', 2048, 0, MAX_MIB),
    nodeDir: read.folder('RUNNER_NODE_DIR'),
    nodeDownloads: read.flag('RUNNER_NODE_DOWNLOADS'),
    androidHome: read.folder('RUNNER_ANDROID_HOME'),
    jdkDir: read.folder('RUNNER_JDK_DIR'),
    xcodeDir: read.folder('RUNNER_XCODE_DIR') ?? '/Applications',
    toolsDir: read.folder('RUNNER_TOOLS_DIR'),
    gitSubmodules: read.flag('RUNNER_GIT_SUBMODULES'),
    gitLfs: read.optionalFlag('RUNNER_GIT_LFS'),
    trustRepositories: flags.trustRepositories ?? false,
    once: flags.once ?? false,
    verbose: flags.verbose ?? false,
  };
}

function takeToken(env: NodeJS.ProcessEnv): string {
  const file = env['RUNNER_TOKEN_FILE'] ?? '';
  const token = (env['RUNNER_TOKEN'] ?? '').trim();
  delete env['RUNNER_TOKEN'];
  delete env['RUNNER_TOKEN_FILE'];
  if (file !== '' && token !== '')
    throw new SettingsError('Set RUNNER_TOKEN or RUNNER_TOKEN_FILE, not both.');
  const text = file === '' ? token : readToken(file);
  if (text === '')
    throw new SettingsError(
      'RUNNER_TOKEN or RUNNER_TOKEN_FILE is required: register a runner to get a token.',
    );
  if (!/^slr_[0-9a-f]{48}$/.test(text)) {
    throw new SettingsError('The token is not that of a runner: it begins with slr_ and has 52 characters.');
  }
  return text;
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new SettingsError(`RUNNER_TOKEN_FILE cannot be read: ${(error as Error).message}.`);
  }
}

function originOf(flag: string | undefined, env: NodeJS.ProcessEnv): string {
  const name = flag === undefined ? 'SLIPWAY_URL' : '--url';
  const text = (flag ?? env['SLIPWAY_URL'] ?? '').trim();
  if (text === '') throw new SettingsError('SLIPWAY_URL or --url is required: the address of the API.');
  const url = URL.parse(text);
  const isOrigin =
    url !== null &&
    ['http:', 'https:'].includes(url.protocol) &&
    url.pathname === '/' &&
    url.search + url.hash + url.username + url.password === '';
  if (!isOrigin)
    throw new SettingsError(`${name} must be an address without a path, such as https://api.example.com.`);
  return url.origin;
}

function platformsOf(read: SettingsReader): JobPlatform[] {
  const found = read.list(
    'RUNNER_PLATFORMS',
    [],
    3,
    /^(android|ios|web)$/,
    'android, ios or web, separated by commas',
  );
  return platforms.filter((platform) => found.includes(platform));
}

function npmRegistryOf(read: SettingsReader): string | null {
  const text = read.text('RUNNER_NPM_REGISTRY', '', 2048);
  if (text === '') return null;
  const url = registryUrlOf(text);
  // The value may contain a password.
  if (url === null)
    throw new SettingsError(
      'RUNNER_NPM_REGISTRY must be the address of a registry, such as https://npm.corp.example.com/.',
    );
  return url;
}
