import { isReservedVariable } from '../../common/reserved-variables.js';
import type { BuildPayloadDto } from '../../native-builds/runner-builds/build-payload.dto.js';
import type { InnerFolders } from '../folders/job-folders.js';
import type { BuildOptions } from './build-options.js';
import { BuildProject, timed } from './build-project.js';
import { ChangeMark } from './change-mark.js';
import { type BuildRun, isFact, StepError, type BuildLog } from './build-run.js';
import { inStep } from './machine-errors.js';
import { chooseManager } from './packages/choose-manager.js';
import {
  managerPath,
  type ManagerSettings,
  managerVariables,
  readRegistrySettings,
  registryVariableOf,
  registryVariables,
  shortRetries,
} from './packages/manager-environment.js';
import { findMissingRoot } from './packages/missing-root.js';
import { describeInstallation, provideManager } from './packages/provide-manager.js';
import {
  completeConfig,
  type FindWebBuild,
  type ProjectConfig,
  readProjectEntry,
} from './project/project-config.js';
import { ProjectFolder } from './project/project-folder.js';
import { chooseProjectNode } from './tools/node/project-node.js';
import { binOf, type NodeVersion } from './tools/node-versions.js';
import type { GitCommit } from './source/git/git-source.js';
import { fetchSource } from './source/project-source.js';
import { emptyOutputs } from './outputs/empty-outputs.js';
import { toolPath } from './tools/find-tool.js';
import { ToolStore } from './tools/tool-store.js';
import { machineCertificates } from './tools/machine-certificates.js';

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
  const { files, config, node, settings } = await inStep('configuration', () =>
    readProject(run, options, findWebBuild),
  );
  const env = buildEnvironment(payload, sandbox.inner, node, source.commit, log, settings, options.toolsDir);
  if (payload.source.type === 'archive') await inStep('source', () => emptyOutputs(run, files, config));
  return new BuildProject(run, files, config, node, source, await ChangeMark.now(folders.root), env);
}

/** What the files of a project say, and the programs that they ask for. */
interface ReadProject {
  readonly files: ProjectFolder;
  readonly config: ProjectConfig;
  readonly node: NodeVersion;
  readonly settings: ManagerSettings;
}

/** @throws StepError when the files do not say how to build, or ask for programs that cannot be had */
async function readProject(
  run: BuildRun,
  options: BuildOptions,
  findWebBuild?: FindWebBuild,
): Promise<ReadProject> {
  const { payload, folders, sandbox, log } = run;
  const onNote = (note: string): void => log.line(note);
  const files = await ProjectFolder.at(folders.repo);
  const entry = await readProjectEntry(files, payload.app.id, onNote);
  if (entry.baseDir !== '') log.line(`The project is in ${entry.baseDir}`);
  const node = await chooseProjectNode(run, options, files, entry.baseDir);
  const chosen = await chooseManager(files, entry, onNote);
  const missing = await findMissingRoot(files, entry.baseDir, chosen, payload.source.type === 'archive');
  if (missing !== null && entry.installCommand === null) throw new StepError('configuration', missing);
  if (missing !== null) onNote(missing);
  const toolStore = new ToolStore(options, node.version, run.signal);
  const provided = await provideManager(chosen, entry, { folders, inner: sandbox.inner, toolStore, onNote });
  const config = await completeConfig(files, entry, provided.manager, findWebBuild);
  if (config.hasDependencies) for (const line of describeInstallation(chosen, provided, entry)) onNote(line);
  const registryFiles = await readRegistrySettings(files, entry.baseDir, chosen);
  const { bin } = provided;
  const manager = bin === null ? provided.manager : chosen;
  return {
    files,
    config,
    node,
    settings: { manager, bin, registry: sandbox.npmRegistry, files: registryFiles },
  };
}

/**
 * The environment of the commands of a project. Secrets win over variables, and what the runner sets wins over both:
 * reserved variables, which may be stored from before they were reserved, are left out, which the log reports.
 *
 * @param commit what is built; `null`: an archive
 * @param settings their registry counts unless the environment names one
 * @param toolsDir folder with further programs; `null`: none
 */
export function buildEnvironment(
  { environment, secrets }: Pick<BuildPayloadDto, 'environment' | 'secrets'>,
  inner: InnerFolders,
  node: NodeVersion,
  commit: GitCommit | null,
  log: Pick<BuildLog, 'line'>,
  settings: ManagerSettings,
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
  const registry = namesRegistry ? {} : registryVariables(settings);
  const { manager } = settings;
  const address = registry[registryVariableOf(manager)];
  if (address !== undefined) log.line(`${manager.name} gets packages from ${address}`);
  const namesRetries =
    settings.files.namesRetries || chosen.some(([key]) => /^p?npm_config_fetch_retr/i.test(key));
  const fetched = commit !== null && { CI_GIT_COMMIT_SHA: commit.sha, CI_GIT_COMMIT_MESSAGE: commit.message };
  return {
    ...machineCertificates(),
    ...(!namesRetries && shortRetries),
    ...managerVariables(inner, node, settings),
    ...registry,
    ...Object.fromEntries(chosen.filter(([key]) => !isReservedVariable(key))),
    ...fetched,
    ...Object.fromEntries(facts.filter(([, value]) => value !== '')),
    PATH: [...managerPath(inner, settings), binOf(node), ...toolPath(toolsDir)].join(':'),
    HOME: inner.home,
  };
}
