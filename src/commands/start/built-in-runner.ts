import { join, resolve } from 'node:path';
import { rm } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.js';
import { generateRunnerToken, isRunnerToken } from '../../jobs/runners/runner-token.js';
import { withFoundTools } from '../../runner/agent/found-tools.js';
import { readSettings, type RunnerSettings } from '../../runner/agent/settings.js';
import { sandboxChecks } from '../../runner/sandbox/find-sandbox.js';
import { sandboxOptionsOf } from '../runner/runner-parts.js';
import { withConnection } from '../../database/connections/with-connection.js';
import { isRegistered, registerBuiltIn } from '../../jobs/runners/built-in-runner.js';
import { keepSecret } from '../keep-secret.js';
import { builtInRegistry, machineRegistry } from './npm-registry.js';
import { RunnerProcess } from './runner-process.js';

/** The runner that `RUNNER=1` asks for. */
export interface BuiltInRunner {
  /** For the banner, in lines; none: none was asked for. */
  readonly status: readonly string[];
  /** Before the server stops, so that builds can finish. */
  stop(): Promise<void>;
}

/** For tests. */
interface BuiltInRunnerParts {
  /** The environment of the server. */
  readonly env?: Readonly<NodeJS.ProcessEnv>;
  readonly checkSandbox?: typeof sandboxChecks;
  readonly readRegistry?: typeof machineRegistry;
}

/** What the runner may know of the environment of the server, besides its own settings. */
const PASSED = /^(PATH|HOME|USER|LANG|LC_ALL|TZ|TMPDIR|NODE_EXTRA_CA_CERTS|(HTTPS?|NO)_PROXY|RUNNER_.+)$/i;

/** Of another runner. */
const TOKENS = ['RUNNER_TOKEN', 'RUNNER_TOKEN_FILE'];

/**
 * Starts a runner for all organizations as a child, without the secrets of the server. Where it cannot run, the server
 * continues without it and logs a message: devices need the server, and a machine can lose its sandbox with an update.
 *
 * @param config with the port that the server listens on
 */
export async function startBuiltInRunner(
  config: Config,
  logger: Logger,
  {
    env = process.env,
    checkSandbox = sandboxChecks,
    readRegistry = machineRegistry,
  }: BuiltInRunnerParts = {},
): Promise<BuiltInRunner> {
  const none = { stop: () => Promise.resolve() };
  const { url } = config.database;
  if (!config.runners.builtIn || url === null) return { ...none, status: [] };
  try {
    const dataDir = resolve(config.storage.dataDir);
    const registry = await builtInRegistry(env, readRegistry);
    const own = {
      SLIPWAY_URL: apiUrlOf(config),
      RUNNER_DIR: env['RUNNER_DIR'] ?? join(dataDir, 'runner'),
      RUNNER_NPM_REGISTRY: registry.url ?? '',
    };
    const { platforms } = await assertSandbox(environmentOf(env, own), checkSandbox);
    const tokenFile = await registerBuiltInRunner(dataDir, url);
    const program = {
      args: [process.argv[1] ?? '', 'runner'],
      env: environmentOf(env, { ...own, RUNNER_TOKEN_FILE: tokenFile }),
    };
    const runner = new RunnerProcess(program, logger);
    const kinds = platforms.includes('android') ? 'web and Android' : 'web';
    const status = [`builds ${kinds} projects of all organizations on this machine`, ...registry.lines];
    return { status, stop: () => runner.stop() };
  } catch (error) {
    const { message } = error as Error;
    logger.warn(`There is no built-in runner: ${message}`);
    return { ...none, status: ['off: see the log'] };
  }
}

/**
 * @returns the settings of the runner
 * @throws Error that says what the machine lacks, or which setting is wrong
 */
async function assertSandbox(
  env: Record<string, string>,
  check: typeof sandboxChecks,
): Promise<RunnerSettings> {
  // The token is made when everything else is there.
  const settings = readSettings({ ...env, RUNNER_TOKEN: generateRunnerToken() });
  const checks = await check(sandboxOptionsOf(settings));
  const failed = checks.filter(({ status }) => status === 'failed').map(({ message }) => message);
  if (failed.length > 0) throw new Error(`This machine cannot keep builds apart. ${failed.join(' ')}`);
  return withFoundTools(settings);
}

/** Where this machine reaches the server. */
export function apiUrlOf({ http }: Config): string {
  const anywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
  const host = anywhere[http.host] ?? (http.host.includes(':') ? `[${http.host}]` : http.host);
  return `http://${host}:${http.port}`;
}

/** Never the token of another runner, nor anything of the server that is not named. */
export function environmentOf(
  env: Readonly<NodeJS.ProcessEnv>,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const passed = Object.entries(env).filter(([name]) => PASSED.test(name) && !TOKENS.includes(name));
  return { ...(Object.fromEntries(passed) as Record<string, string>), ...own };
}

/**
 * Registers the built-in runner for all organizations, unless the token of a former start is still valid. Opens its own
 * connection, because a process that only starts others has no pool.
 *
 * @param dataDir keeps the token in its file `runner-token`, which only its owner can read
 * @returns the path of the file
 * @throws Error when the file is damaged
 */
export async function registerBuiltInRunner(dataDir: string, databaseUrl: string): Promise<string> {
  const path = join(dataDir, 'runner-token');
  const format = { isValid: isRunnerToken, remedy: 'Delete it, and Slipway gives the runner another token.' };
  return withConnection(databaseUrl, async (client) => {
    const former = await keepSecret(path, undefined, format);
    if (former !== null && (await isRegistered(client, former))) return path;
    // Of a runner that was deleted, or of an earlier version: such a token becomes invalid.
    await rm(path, { force: true });
    const token = await keepSecret(path, generateRunnerToken, format);
    await registerBuiltIn(client, token, former);
    return path;
  });
}
