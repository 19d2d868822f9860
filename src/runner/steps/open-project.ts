import { join } from 'node:path';
import { isReservedVariable } from '../../common/reserved-variables.js';
import type { BuildPayloadDto } from '../../native-builds/runner-builds/build-payload.dto.js';
import type { InnerFolders } from '../folders/job-folders.js';
import type { BuildOptions } from './build-options.js';
import { BuildProject, timed } from './build-project.js';
import { ChangeMark } from './change-mark.js';
import { type BuildRun, isFact, type BuildLog } from './build-run.js';
import { inStep } from './machine-errors.js';
import { type FindWebBuild, readProjectConfig } from './project/project-config.js';
import { ProjectFolder } from './project/project-folder.js';
import { chooseProjectNode } from './tools/node/project-node.js';
import { binOf, type NodeVersion } from './tools/node-versions.js';
import type { GitCommit } from './source/git/git-source.js';
import { fetchSource } from './source/project-source.js';
import { emptyOutputs } from './outputs/empty-outputs.js';
import { cacheFolder } from './caches/cache-parts.js';
import { toolPath } from './tools/find-tool.js';
import { machineCertificates } from './tools/machine-certificates.js';

const MAX_BYTES = 1024 * 1024;

/** `registry` itself: one of a scope has another key. */
const REGISTRY = /^\s*"?registry"?\s*=\s*\S/m;
/** How often npm asks again, and after which pauses. */
const RETRIES = /^\s*"?fetch-retr(?:ies|y-\w+)"?\s*=\s*\S/m;

/**
 * The first steps of a build: fetches the source, and finds out how it is built, and with which Node.js.
 *
 * @param findWebBuild for projects that name no command; default: they must have a script
 * @throws StepError when the source cannot be had, or does not say how to build
 */
export async function openProject(
  run: BuildRun,
  options: BuildOptions,
  findWebBuild?: FindWebBuild,
): Promise<BuildProject> {
  const { payload, folders, log, sandbox } = run;
  const source = await timed(run, 'Fetching the source', () =>
    inStep('source', () => fetchSource(run, options)),
  );
  const { files, config } = await inStep('configuration', async () => {
    const opened = await ProjectFolder.at(folders.repo);
    const onNote = (note: string): void => log.line(note);
    const read = await readProjectConfig(opened, payload.app.id, findWebBuild, onNote);
    return { files: opened, config: read };
  });
  if (config.baseDir !== '') log.line(`The project is in ${config.baseDir}`);
  const node = await inStep('configuration', () => chooseProjectNode(run, options, files, config.baseDir));
  const npmrc = await readNpmrc(files, config.baseDir);
  const registry = npmrc.namesRegistry ? null : sandbox.npmRegistry;
  const own = buildEnvironment(payload, sandbox.inner, node, source.commit, log, registry, options.toolsDir);
  const hasRetries =
    npmrc.namesRetries || Object.keys(own).some((key) => /^npm_config_fetch_retr/i.test(key));
  const env = hasRetries ? own : { ...shortRetries, ...own };
  if (payload.source.type === 'archive') await inStep('source', () => emptyOutputs(run, files, config));
  return new BuildProject(run, files, config, node, source, await ChangeMark.now(folders.root), env);
}

/**
 * Pauses of one, two and four seconds, so that a registry that does not exist is reported after seconds: with those of npm
 * (10 and 60 seconds), a build waits for more than a minute. A slow registry still has five minutes for each response.
 */
const shortRetries: Readonly<Record<string, string>> = {
  npm_config_fetch_retries: '3',
  npm_config_fetch_retry_factor: '2',
  npm_config_fetch_retry_mintimeout: '1000',
};

/**
 * What the files `.npmrc` of the project name: in the folder where commands run, and in those above, as in a workspace. A
 * variable would win over them, so builds of a project that names a registry get none.
 *
 * @param baseDir relative to the working copy, without links
 * @throws StepError when one of them cannot be read: npm would go on without it
 */
export async function readNpmrc(
  project: ProjectFolder,
  baseDir: string,
): Promise<{ readonly namesRegistry: boolean; readonly namesRetries: boolean }> {
  const parts = baseDir === '' ? [] : baseDir.split('/');
  const texts: string[] = [];
  for (let length = parts.length; length >= 0; length--) {
    const path = join(...parts.slice(0, length), '.npmrc');
    const text = await project.read('configuration', path, MAX_BYTES);
    if (text !== null) texts.push(text);
  }
  const isNamed = (setting: RegExp): boolean => texts.some((text) => setting.test(text));
  return { namesRegistry: isNamed(REGISTRY), namesRetries: isNamed(RETRIES) };
}

/**
 * The environment of the commands of a project. Secrets win over variables, and what the runner sets wins over both:
 * reserved variables, which may be stored from before they were reserved, are left out, which the log reports.
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
