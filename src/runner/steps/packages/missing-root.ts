import { join, normalize } from 'node:path';
import { isIn } from '../project/native-project.js';
import { isObject, type ProjectFolder } from '../project/project-folder.js';
import type { PackageManager } from './managers.js';

const MAX_BYTES = 1024 * 1024;
const FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies'];

/**
 * Says what an app needs of a folder that is not in the source: uploads of the folder of an app lack the root of its workspace.
 *
 * @param baseDir where the app is, relative to the working copy
 * @param isUpload of a folder, and not a commit
 * @returns a sentence; `null`: nothing is missing
 */
export async function findMissingRoot(
  files: ProjectFolder,
  baseDir: string,
  { root }: PackageManager,
  isUpload: boolean,
): Promise<string | null> {
  const path = join(baseDir, 'package.json');
  const manifest = await files.readJson('configuration', path, MAX_BYTES);
  if (manifest === null) return null;
  const has = isIn(files, baseDir);
  const isAlone =
    root === baseDir && manifest['workspaces'] === undefined && !(await has('pnpm-workspace.yaml'));
  const missing = [
    ...(isAlone ? ['workspace:'] : []),
    ...(isAlone && !(await has('.yarnrc.yml')) ? ['catalog:'] : []),
  ];
  const [name, spec] = dependenciesOf(manifest).find(([, text]) => isMissing(text, baseDir, missing)) ?? [];
  if (name === undefined || spec === undefined) return null;
  const needed = `${path} needs ${shown(name)}: ${shown(spec)}`;
  return isUpload
    ? `${needed}, and the upload does not have the root of the workspace: call apps:builds:create in the root of the repository with "--path .", and name the folder of the app as "baseDir" in capawesome.config.json there.`
    : `${needed}, and no folder above has a workspace with ${baseDir === '' ? 'this package' : baseDir}: add it to "workspaces" of package.json or to "packages" of pnpm-workspace.yaml.`;
}

function dependenciesOf(manifest: Readonly<Record<string, unknown>>): [name: string, spec: string][] {
  return FIELDS.flatMap((field) => {
    const part = manifest[field];
    return Object.entries(isObject(part) ? part : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
  });
}

/** @param protocols that only a workspace has */
function isMissing(spec: string, baseDir: string, protocols: readonly string[]): boolean {
  if (protocols.some((protocol) => spec.startsWith(protocol))) return true;
  const [, path] = /^(?:file|link|portal):(\.\.?\/.*)$/.exec(spec) ?? [];
  return path !== undefined && normalize(join(baseDir, path)).startsWith('..');
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
