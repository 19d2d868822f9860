import { join } from 'node:path';
import { findOutput } from './output/find-output.js';
import { listOutput } from './output/output-files.js';
import { zipFiles } from './output/zip-files.js';
import { type BuildProject, timed } from './build-project.js';
import type { BuiltFile } from './build-run.js';

const FILE_NAME = 'www.zip';

/** Builds a web app to a zip of its output folder. See `PlatformDriver`. */
export async function webDriver(project: BuildProject): Promise<readonly BuiltFile[]> {
  const { config, run } = project;
  await project.execute('build', 'Building', config.webBuildCommand);
  const folder = await findOutput(project);
  const path = join(run.folders.artifacts, FILE_NAME);
  await timed(run, 'Packing', async () => {
    const files = await listOutput(folder);
    run.log.line(`Packing ${files.length} files to ${FILE_NAME}`);
    await zipFiles(files, path, run.signal);
  });
  return [{ type: 'zip', fileName: FILE_NAME, path }];
}
