import type { BuildPayloadDto } from '../../native-builds/runner-builds/build-payload.dto.js';
import type { InnerFolders } from '../sandbox/sandbox.js';
import type { GitCommit } from './source/git/git-source.js';
import { machineCertificates } from './tools/machine-certificates.js';
import { binOf, type NodeVersion } from './tools/node-versions.js';

/** Where programs are, behind the Node.js of the build. */
const PATH = [
  '/usr/local/bin',
  '/usr/bin',
  '/bin',
  ...(process.platform === 'darwin' ? ['/opt/homebrew/bin'] : []),
];
const RESERVED = /^(CI|CI_.*|PATH|HOME)$/;

/**
 * The environment of the commands of a project. Secrets win over variables, and what the runner sets wins over both.
 *
 * @param commit what is built; `null`: an archive
 */
export function buildEnvironment(
  { environment, secrets }: Pick<BuildPayloadDto, 'environment' | 'secrets'>,
  inner: InnerFolders,
  node: NodeVersion,
  commit: GitCommit | null,
): Record<string, string> {
  const isReserved = ([key]: [string, string]): boolean => RESERVED.test(key);
  const given = Object.entries(environment);
  const facts = commit !== null && { CI_GIT_COMMIT_SHA: commit.sha, CI_GIT_COMMIT_MESSAGE: commit.message };
  return {
    ...machineCertificates(),
    ...packageManagers(inner.cache),
    ...Object.fromEntries([...given, ...Object.entries(secrets)].filter((entry) => !isReserved(entry))),
    ...facts,
    ...Object.fromEntries(given.filter(([key, value]) => /^CI(_|$)/.test(key) && value !== '')),
    PATH: [binOf(node), ...PATH].join(':'),
    HOME: inner.home,
  };
}

/** Settings of package managers: one folder for what they download, and nothing that only people read. */
function packageManagers(cache: string): Record<string, string> {
  return {
    npm_config_cache: `${cache}/npm`,
    npm_config_logs_max: '0',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    PNPM_HOME: `${cache}/pnpm`,
    // Yarn 1, then newer ones
    YARN_CACHE_FOLDER: `${cache}/yarn`,
    YARN_ENABLE_GLOBAL_CACHE: 'false',
    YARN_ENABLE_TELEMETRY: '0',
    NG_CLI_ANALYTICS: 'false',
  };
}
