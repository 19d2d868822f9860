import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { NodeVersion } from '../tools/node-versions.js';
import type { ProjectConfig } from '../project/project-config.js';
import type { ProjectFolder } from '../project/project-folder.js';

/** Longest file, in bytes: it is hashed while other jobs run. */
const MAX_BYTES = 8 * 1024 ** 2;
const LOCK_FILES = ['package-lock.json', 'npm-shrinkwrap.json'];
const OTHER_FILES = ['package.json', '.npmrc'];

/**
 * What the installed packages of a project depend on.
 *
 * @returns `null`: they are not kept, because no lock file of npm says what they are
 */
export async function modulesKey(
  project: ProjectFolder,
  config: ProjectConfig,
  node: NodeVersion,
): Promise<string | null> {
  const read = (name: string): Promise<string | null> =>
    project.read('install', join(config.baseDir, name), MAX_BYTES);
  const locks = await Promise.all(LOCK_FILES.map(read));
  if (locks.every((lock) => lock === null)) return null;
  const others = await Promise.all(OTHER_FILES.map(read));
  const parts = [
    process.platform,
    process.arch,
    node.version,
    config.baseDir,
    config.installCommand,
    ...[...locks, ...others].map((content) => content && sha256(content)),
  ];
  return sha256(JSON.stringify(parts));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
