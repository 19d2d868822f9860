import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { registryUrlOf, resolveServer } from '../../runner/sandbox/network/npm-registry.js';

/** Where npm gets packages unless it is configured otherwise. */
const DEFAULT = 'https://registry.npmjs.org/';
/** How long npm may take to say its configuration, in milliseconds. */
const NPM_WITHIN = 20_000;
/** What npm may know of the environment of the server. */
const PASSED = /^(PATH|HOME|USERPROFILE|NPM_CONFIG_.+)$/i;

/** The npm registry of the builds of the built-in runner. */
export interface BuiltInRegistry {
  /** As `registryUrlOf` returns it; `null`: none is set for builds. */
  readonly url: string | null;
  /** For the banner. */
  readonly lines: readonly string[];
}

/**
 * The registry for builds: that of `RUNNER_NPM_REGISTRY`, with an empty value none, and otherwise the one that npm uses on
 * this machine, unless that is the public one.
 *
 * @param env of the server
 * @param readMachine reads the configuration of npm
 */
export async function builtInRegistry(
  env: Readonly<NodeJS.ProcessEnv>,
  readMachine: typeof machineRegistry = machineRegistry,
): Promise<BuiltInRegistry> {
  const own = env['RUNNER_NPM_REGISTRY'];
  const url = own === undefined ? await readMachine(env) : own.trim();
  if (url === null || url === '') return { url: null, lines: [] };
  const registry = registryUrlOf(url);
  // The settings of the runner refuse it.
  if (registry === null) return { url, lines: [] };
  const source = own === undefined ? "of this machine's npm configuration" : 'of RUNNER_NPM_REGISTRY';
  const { isLoopback, port } = await resolveServer(registry);
  if (isLoopback) {
    return {
      url: null,
      lines: [
        `Builds cannot reach the npm registry ${registry} ${source}: it is on the loopback of this`,
        'machine. Set RUNNER_NPM_REGISTRY to an address of it in the network, or to nothing.',
      ],
    };
  }
  return {
    url: registry,
    lines: [
      `with packages of the npm registry ${registry} ${source},`,
      `which builds reach on port ${port} (RUNNER_NPM_REGISTRY= turns this off)`,
    ],
  };
}

/**
 * The registry that npm uses on this machine for this checkout.
 *
 * @param env with the settings that npm gives to its scripts, if it has started the server
 * @returns without credentials; `null`: the public one, or there is no npm
 */
export async function machineRegistry(env: Readonly<NodeJS.ProcessEnv>): Promise<string | null> {
  const [, set] = Object.entries(env).find(([name]) => name.toLowerCase() === 'npm_config_registry') ?? [];
  // npm gives its scripts what differs from its defaults.
  const isOfNpm = env['npm_lifecycle_event'] !== undefined;
  const text = set ?? (isOfNpm ? '' : await askNpm(env));
  const registry = registryUrlOf(text);
  return registry === DEFAULT ? null : registry;
}

/** @returns `''` when npm cannot say it */
async function askNpm(env: Readonly<NodeJS.ProcessEnv>): Promise<string> {
  const passed = Object.fromEntries(Object.entries(env).filter(([name]) => PASSED.test(name)));
  const options = { env: passed, timeout: NPM_WITHIN };
  return promisify(execFile)('npm', ['config', 'get', 'registry'], options).then(
    ({ stdout }) => stdout,
    () => '',
  );
}
