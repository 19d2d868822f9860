import { join, relative } from 'node:path';
import { load } from 'js-yaml';
import picomatch from 'picomatch';
import { StepError } from '../build-run.js';
import { isObject, type ProjectFolder } from '../project/project-folder.js';

const PNPM_FILE = 'pnpm-workspace.yaml';
const MAX_BYTES = 1024 * 1024;
const MAX_PATTERN = 200;
/** At most one `*` in each part of a path, or `**`. */
const PARTS = /^(?:[^*]|\*\*(?=\/|$)|\*(?![^/]*\*))+$/s;

/**
 * Whether a folder is a package of the workspace in a folder above it.
 *
 * @param root the folder with the workspace, relative to the working copy
 * @param manifest its package.json
 * @param dir relative to the working copy
 * @throws StepError when pnpm-workspace.yaml cannot be read
 */
export async function isInWorkspace(
  files: ProjectFolder,
  root: string,
  manifest: Readonly<Record<string, unknown>> | null,
  dir: string,
): Promise<boolean> {
  const patterns = [...workspacesOf(manifest), ...(await pnpmPackages(files, root))];
  const path = relative(root, dir);
  const isExcluded = patterns.some(
    (pattern) => pattern.startsWith('!') && matches(pattern.slice(1), path, false),
  );
  return !isExcluded && patterns.some((pattern) => !pattern.startsWith('!') && matches(pattern, path, true));
}

/** `workspaces` of npm, Yarn and bun. */
function workspacesOf(manifest: Readonly<Record<string, unknown>> | null): string[] {
  const { workspaces } = manifest ?? {};
  return texts(isObject(workspaces) ? workspaces['packages'] : workspaces);
}

async function pnpmPackages(files: ProjectFolder, root: string): Promise<string[]> {
  const path = join(root, PNPM_FILE);
  const text = await files.read('configuration', path, MAX_BYTES);
  if (text === null) return [];
  const content = parse(text, path);
  return isObject(content) ? texts(content['packages']) : [];
}

function parse(text: string, path: string): unknown {
  try {
    return load(text);
  } catch {
    throw new StepError('configuration', `${path} is not valid YAML.`);
  }
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];
}

/** Matching backtracks. @param otherwise for a pattern that could take long */
function matches(pattern: string, path: string, otherwise: boolean): boolean {
  const plain = pattern.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '');
  const isQuick = plain.length <= MAX_PATTERN && plain.split('**').length <= 3 && PARTS.test(plain);
  if (!isQuick) return otherwise;
  return picomatch.isMatch(path, plain, { dot: true, nonegate: true, noextglob: true });
}
