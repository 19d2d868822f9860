import { fetchSource } from './source/fetch-source.js';
import { buildEnvironment } from './build-environment.js';
import type { BuildOptions } from './build-options.js';
import { BuildProject, timed } from './build-project.js';
import { type BuildRun, type BuiltFile, StepError } from './build-run.js';
import { Installation } from './install.js';
import { chooseNode, findNodeVersions } from './tools/node-versions.js';
import { platformDrivers } from './platform-driver.js';
import { readProjectConfig } from './project/project-config.js';
import { ProjectFolder } from './project/project-folder.js';

export { toolFolders } from './tool-folders.js';

/**
 * Makes a build: fetches the source, installs the dependencies, builds, and packs what it has made.
 *
 * @returns the files to upload, in the folder `artifacts`; no process of the build runs any more
 * @throws StepError when the build fails
 * @throws the reason of the signal
 * @throws Error when the runner or its machine fails
 */
export async function runBuild(run: BuildRun, options: BuildOptions): Promise<readonly BuiltFile[]> {
  const { payload, folders, log, sandbox, signal } = run;
  const driver = platformDrivers[payload.build.platform];
  if (driver === undefined) {
    const known = Object.keys(platformDrivers).join(', ');
    throw new StepError(
      'configuration',
      `This runner does not build for ${payload.build.platform} yet: only for ${known}.`,
    );
  }
  const wantedNode = payload.secrets['NODE_VERSION'] ?? payload.environment['NODE_VERSION'];
  const node = chooseNode(await findNodeVersions(options.nodeDir), wantedNode);
  const commit = await timed(run, 'Fetching the source', () => fetchSource(run, options));
  const files = await ProjectFolder.at(folders.repo);
  const config = await readProjectConfig(files, payload.app.id);
  if (config.baseDir !== '') log.line(`The project is in ${config.baseDir}`);
  log.line(`Using Node.js ${node.version}`);
  const env = buildEnvironment(payload, sandbox.inner, node, commit);
  const project = new BuildProject(run, files, config, node, env);
  const installation = await Installation.install(project, options);
  const built = await driver(project);
  signal.throwIfAborted();
  await installation.keep();
  return built;
}
