import { buildEnvironment } from './build-environment.js';
import type { BuildOptions } from './build-options.js';
import { BuildProject, timed } from './build-project.js';
import { type BuildRun, variableOf } from './build-run.js';
import { inStep } from './machine-errors.js';
import { type FindWebBuild, readProjectConfig } from './project/project-config.js';
import { ProjectFolder } from './project/project-folder.js';
import { namesRegistry } from './project/project-registry.js';
import { fetchSource } from './source/fetch-source.js';
import { chooseNode, findNodeVersions } from './tools/node-versions.js';

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
  const node = chooseNode(await findNodeVersions(options.nodeDir), variableOf(run, 'NODE_VERSION'));
  const commit = await timed(run, 'Fetching the source', () =>
    inStep('source', () => fetchSource(run, options)),
  );
  const { files, config } = await inStep('configuration', async () => {
    const opened = await ProjectFolder.at(folders.repo);
    return { files: opened, config: await readProjectConfig(opened, payload.app.id, findWebBuild) };
  });
  if (config.baseDir !== '') log.line(`The project is in ${config.baseDir}`);
  log.line(`Using Node.js ${node.version}`);
  const registry = (await namesRegistry(files, config.baseDir)) ? null : sandbox.npmRegistry;
  const env = buildEnvironment(payload, sandbox.inner, node, commit, log, registry, options.toolsDir);
  return new BuildProject(run, files, config, node, env);
}
