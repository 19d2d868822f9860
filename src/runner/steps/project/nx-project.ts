import { basename, join, relative } from 'node:path';
import { StepError } from '../build-run.js';
import { isObject, type ProjectFolder } from './project-folder.js';

const MAX_BYTES = 1024 * 1024;

/** An app in a workspace of Nx. */
export interface NxTarget {
  /** As `nx build` takes it. */
  readonly name: string;
  /** Folders that it may write, relative to the folder of the app. */
  readonly outputs: readonly string[];
}

/**
 * The target `build` of an app: what project.json says, or what plugins of Nx make of package.json.
 *
 * @param root with nx.json, relative to the working copy
 * @returns `null`: this is no app of Nx
 * @throws StepError when project.json has a name that is none
 */
export async function findNxTarget(
  files: ProjectFolder,
  baseDir: string,
  root: string,
): Promise<NxTarget | null> {
  if ((await files.resolve('configuration', join(root, 'nx.json'))) === null) return null;
  const path = join(baseDir, 'project.json');
  const project = await files.readJson('configuration', path, MAX_BYTES);
  const manifest = await files.readJson('configuration', join(baseDir, 'package.json'), MAX_BYTES);
  // The package.json of the root is the workspace, and seldom an app.
  if (project === null && (manifest === null || baseDir === root)) return null;
  const name = project?.['name'] ?? manifest?.['name'] ?? basename(baseDir);
  if (typeof name !== 'string' || !/^[@\w][\w@./-]{0,213}$/.test(name)) {
    throw new StepError('configuration', `"name" of ${path} is not the name of a project of Nx.`);
  }
  const app = relative(root, baseDir);
  const outputs = [...outputPathsOf(project), join('dist', app)];
  const all = outputs.flatMap((output) => [output, join(output, 'browser')]);
  return { name, outputs: [...new Set(all)].map((output) => relative(app, output)) };
}

/** `outputPath` of the options: a text, or an object of Angular. Relative to the workspace. */
function outputPathsOf(project: Readonly<Record<string, unknown>> | null): string[] {
  const targets = part(project?.['targets']);
  const { outputPath } = part(part(targets['build'])['options']);
  if (typeof outputPath === 'string') return [plain(outputPath)];
  const { base, browser } = part(outputPath);
  if (typeof base !== 'string') return [];
  return [typeof browser === 'string' ? join(plain(base), browser) : plain(base)];
}

function plain(path: string): string {
  return path.replace(/^(?:\{workspaceRoot\}|\.)?\/+/, '');
}

function part(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
