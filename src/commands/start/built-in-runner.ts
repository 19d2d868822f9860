import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.js';
import { toolFolders } from '../../runner/build/tool-folders.js';
import { sandboxChecks } from '../../runner/sandbox/find-sandbox.js';
import { registerBuiltInRunner } from './runner-registration.js';
import { RunnerProcess } from './runner-process.js';

/** The runner that `RUNNER=1` asks for. */
export interface BuiltInRunner {
  /** For the banner; `null`: none was asked for. */
  readonly status: string | null;
  /** Before the server stops, so that builds can finish. */
  stop(): Promise<void>;
}

/** For tests. */
interface BuiltInRunnerParts {
  /** The environment of the server. */
  readonly env?: Readonly<NodeJS.ProcessEnv>;
  readonly checkSandbox?: typeof sandboxChecks;
}

/** What the runner may know of the environment of the server, besides its own settings. */
const PASSED = /^(PATH|HOME|USER|LANG|LC_ALL|TZ|TMPDIR|NODE_EXTRA_CA_CERTS|(HTTPS?|NO)_PROXY|RUNNER_.+)$/i;

/**
 * Starts a runner for the first organization as a child, without the secrets of the server. Where it cannot run, the
 * server goes on without it and says so: devices need the server, and a machine can lose its sandbox with an update.
 *
 * @param config with the port that the server listens on
 */
export async function startBuiltInRunner(
  config: Config,
  logger: Logger,
  { env = process.env, checkSandbox = sandboxChecks }: BuiltInRunnerParts = {},
): Promise<BuiltInRunner> {
  const none = { stop: () => Promise.resolve() };
  const { url } = config.database;
  if (!config.runners.builtIn || url === null) return { ...none, status: null };
  try {
    const dataDir = resolve(config.storage.dataDir);
    await assertSandbox(apiUrlOf(config), checkSandbox);
    const tokenFile = await registerBuiltInRunner(dataDir, url);
    if (tokenFile === null) throw new Error('There is no organization to build for.');
    const runner = new RunnerProcess(
      {
        args: [process.argv[1] ?? '', 'runner'],
        env: environmentOf(env, {
          SLIPWAY_URL: apiUrlOf(config),
          RUNNER_TOKEN_FILE: tokenFile,
          RUNNER_DIR: env['RUNNER_DIR'] ?? join(dataDir, 'runner'),
        }),
      },
      logger,
    );
    return { status: 'builds web projects on this machine', stop: () => runner.stop() };
  } catch (error) {
    const { message } = error as Error;
    logger.warn(`There is no built-in runner: ${message}`);
    return { ...none, status: 'off: see the log' };
  }
}

/** @throws Error that says what the machine lacks */
async function assertSandbox(apiUrl: string, check: typeof sandboxChecks): Promise<void> {
  const checks = await check({
    trustRepositories: false,
    allow: [],
    memoryMiB: 4096,
    processes: 1024,
    diskMiB: 10_240,
    readOnly: toolFolders({ nodeDir: null }),
    apiUrl,
  });
  const failed = checks.filter(({ status }) => status === 'failed').map(({ message }) => message);
  if (failed.length > 0) throw new Error(`This machine cannot keep builds apart. ${failed.join(' ')}`);
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
  const passed = Object.entries(env).filter(([name]) => PASSED.test(name) && name !== 'RUNNER_TOKEN');
  return { ...(Object.fromEntries(passed) as Record<string, string>), ...own };
}
