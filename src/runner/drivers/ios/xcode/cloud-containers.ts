import { readSmallPlist, valueOf } from '../../../../common/plists/read-plist.js';
import type { BuildProject } from '../../../steps/build-project.js';
import { findFiles } from '../../../steps/caches/find-files.js';

const MAX_BYTES = 256 * 1024;
const CONTAINERS = 'com.apple.developer.icloud-container-identifiers';

/** Whether a file with entitlements in the folder of the project names containers of iCloud. What cannot be read names none. */
export async function usesCloudContainers({ files }: BuildProject, dir: string): Promise<boolean> {
  for (const path of (await findFiles(files, dir, /\.entitlements$/)) ?? []) {
    const text = await files.read('configuration', path, MAX_BYTES).catch(() => null);
    if (text !== null && namesContainers(text)) return true;
  }
  return false;
}

function namesContainers(text: string): boolean {
  try {
    const containers = valueOf(readSmallPlist(Buffer.from(text)), CONTAINERS);
    return Array.isArray(containers) && containers.length > 0;
  } catch {
    return false;
  }
}
