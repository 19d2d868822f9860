import { join } from 'node:path';
import type { BuildProject } from '../../steps/build-project.js';
import { StepError } from '../../steps/build-run.js';
import { isObject } from '../../steps/project/project-folder.js';

const MAX_BYTES = 1024 * 1024;
const SCRIPTS = ['capacitor.config.ts', 'capacitor.config.js'];

/**
 * The `webDir` of Capacitor. A configuration that is a program is run in the sandbox, by the Capacitor of the project.
 *
 * @returns relative to `baseDir`; `null`: the project has no configuration of Capacitor, or it cannot be read
 * @throws StepError when the configuration is wrong
 */
export async function findWebDir(project: BuildProject): Promise<string | null> {
  const { files, config, run } = project;
  const json = await files.readJson('output', join(config.baseDir, 'capacitor.config.json'), MAX_BYTES);
  if (json !== null) return webDirIn(json);
  const scripts = await Promise.all(
    SCRIPTS.map((name) => files.resolve('output', join(config.baseDir, name))),
  );
  if (scripts.every((path) => path === null)) return null;
  const chunks: Buffer[] = [];
  let size = 0;
  const onOutput = (chunk: Buffer): void => {
    size += chunk.length;
    if (size <= MAX_BYTES) chunks.push(chunk);
  };
  // `--no`: without Capacitor in the project nothing is installed.
  const command = 'npx --no -- cap config --json 2>/dev/null';
  const exitCode = await project.shell('output', command, { onOutput });
  const shown = exitCode === 0 && size <= MAX_BYTES ? parse(Buffer.concat(chunks).toString()) : null;
  if (isObject(shown) && isObject(shown['app'])) return webDirIn(shown['app']);
  run.log.line(
    'The configuration of Capacitor cannot be read ("npx cap config --json"): looking for the output',
  );
  return null;
}

function webDirIn({ webDir }: Record<string, unknown>): string | null {
  if (webDir === undefined || webDir === null || webDir === '') return null;
  if (typeof webDir !== 'string' || webDir.includes('\0')) {
    throw new StepError('output', 'The "webDir" of Capacitor must be the path of a folder.');
  }
  return webDir;
}

/** JSON behind what tools print before it. */
function parse(output: string): unknown {
  try {
    return JSON.parse(output.slice(Math.max(0, output.indexOf('{'))));
  } catch {
    return null;
  }
}
