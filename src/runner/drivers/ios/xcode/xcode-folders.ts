import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from '../../../steps/caches/cache-parts.js';
import type { JobFolders } from '../../../folders/job-folders.js';

/** Where Xcode writes what it makes, outside of the working copy. Absolute paths; `scheme` is a name without `/`. */
export interface XcodeFolders {
  readonly root: string;
  readonly derivedData: string;
  readonly archive: string;
  readonly exported: string;
  readonly exportOptions: string;
  /** Where Xcode clones Swift packages to. */
  readonly packages: string;
}

/** Makes the folders of a job that Xcode does not make itself. */
export async function makeXcodeFolders(folders: JobFolders, scheme: string): Promise<XcodeFolders> {
  const root = join(folders.root, 'xcode');
  await mkdir(root, { recursive: true, mode: 0o700 });
  return {
    root,
    derivedData: join(root, 'derived-data'),
    archive: join(root, `${scheme}.xcarchive`),
    exported: join(root, 'export'),
    exportOptions: join(root, 'export-options.plist'),
    packages: cacheFolder(folders.cache, 'swift-packages'),
  };
}
