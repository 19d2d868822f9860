import { isReservedVariable } from '../../common/environment/reserved-variables.js';
import type { BuildPayloadDto } from '../../native-builds/runner-builds/build-payload.dto.js';
import type { InnerFolders } from '../sandbox/sandbox.js';
import type { BuildLog } from './build-run.js';
import { cacheFolder } from './caches/cache-parts.js';
import type { GitCommit } from './source/git/git-source.js';
import { toolPath } from './tools/find-tool.js';
import { machineCertificates } from './tools/machine-certificates.js';
import { binOf, type NodeVersion } from './tools/node-versions.js';

/**
 * The environment of the commands of a project. Secrets win over variables, and what the runner sets wins over both:
 * reserved variables, which may be stored from before they were reserved, are left out, and the log says so.
 *
 * @param commit what is built; `null`: an archive
 * @param npmRegistry of the operator, unless the environment names one; `null`: none
 * @param toolsDir folder with further programs; `null`: none
 */
export function buildEnvironment(
  { environment, secrets }: Pick<BuildPayloadDto, 'environment' | 'secrets'>,
  inner: InnerFolders,
  node: NodeVersion,
  commit: GitCommit | null,
  log: Pick<BuildLog, 'line'>,
  npmRegistry: string | null = null,
  toolsDir: string | null = null,
): Record<string, string> {
  const given = Object.entries(environment);
  const facts = given.filter(([key]) => isFact(key));
  const chosen = [...given.filter(([key]) => !isFact(key)), ...Object.entries(secrets)];
  for (const key of new Set(chosen.map(([name]) => name).filter(isReservedVariable))) {
    log.line(`The variable ${key} is reserved for the runner, so the build does not get it`);
  }
  // npm takes every spelling, and which one wins is not defined.
  const namesRegistry = chosen.some(([key]) => key.toLowerCase() === 'npm_config_registry');
  const registry = npmRegistry !== null && !namesRegistry && { npm_config_registry: npmRegistry };
  if (registry) log.line(`npm gets packages from ${npmRegistry}`);
  const fetched = commit !== null && { CI_GIT_COMMIT_SHA: commit.sha, CI_GIT_COMMIT_MESSAGE: commit.message };
  return {
    ...machineCertificates(),
    ...packageManagers(cacheFolder(inner.cache, 'packages')),
    ...registry,
    ...Object.fromEntries(chosen.filter(([key]) => !isReservedVariable(key))),
    ...fetched,
    ...Object.fromEntries(facts.filter(([, value]) => value !== '')),
    PATH: [binOf(node), ...toolPath(toolsDir)].join(':'),
    HOME: inner.home,
  };
}

/** What the API says about the build. */
function isFact(key: string): boolean {
  return key === 'CI' || key.startsWith('CI_');
}

/** Settings of package managers: one folder for what they download, and nothing that only people read. */
function packageManagers(packages: string): Record<string, string> {
  return {
    npm_config_cache: `${packages}/npm`,
    npm_config_logs_max: '0',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    PNPM_HOME: `${packages}/pnpm`,
    // Yarn 1, then newer ones
    YARN_CACHE_FOLDER: `${packages}/yarn`,
    YARN_ENABLE_GLOBAL_CACHE: 'false',
    YARN_ENABLE_TELEMETRY: '0',
    NG_CLI_ANALYTICS: 'false',
  };
}
