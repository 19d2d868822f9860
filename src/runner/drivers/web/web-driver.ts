import { join } from 'node:path';
import type { BuildOptions } from '../../steps/build-options.js';
import { type BuildProject, timed } from '../../steps/build-project.js';
import type { BuildRun, BuiltFile } from '../../steps/build-run.js';
import { BuildCaches } from '../../steps/caches/build-caches.js';
import { installDependencies } from '../../steps/install.js';
import { inStep } from '../../steps/machine-errors.js';
import { openProject } from '../../steps/open-project.js';
import { buildWebAssets } from '../../steps/web-assets.js';
import { findOutput } from './find-output.js';
import { listOutput } from '../../steps/outputs/output-files.js';
import { requireFetchedFiles } from '../../steps/outputs/unfetched-files.js';
import { zipFiles } from '../../steps/outputs/zip-files.js';

const FILE_NAME = 'www.zip';

/** Builds a web app to a zip of its output folder. As `Driver`. */
export async function buildWeb(run: BuildRun, options: BuildOptions): Promise<readonly BuiltFile[]> {
  const project = await openProject(run, options);
  const caches = await inStep('install', () =>
    BuildCaches.restore(project, options, ['packages', 'node_modules']),
  );
  await inStep('install', () => installDependencies(project, caches));
  await buildWebAssets(project);
  const built = await inStep('output', () => packOutput(project));
  run.signal.throwIfAborted();
  await caches.keep();
  return [built];
}

async function packOutput(project: BuildProject): Promise<BuiltFile> {
  const { run } = project;
  const folder = await findOutput(project);
  const path = join(run.folders.artifacts, FILE_NAME);
  await timed(run, 'Packing', async () => {
    const files = await listOutput(folder);
    run.log.line(`Packing ${files.length} files to ${FILE_NAME}`);
    await zipFiles(files, path, run.signal);
  });
  const built: BuiltFile = { type: 'zip', fileName: FILE_NAME, path };
  await requireFetchedFiles(project, [built]);
  return built;
}
