import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';

/** Where programs of a machine are. The last folder is that of Homebrew, on Macs only. */
const MACHINE_PATH = ['/usr/local/bin', '/usr/bin', '/bin', '/opt/homebrew/bin'];

/**
 * The folders in which builds find programs, behind the Node.js of the build.
 *
 * @param toolsDir further programs; `null`: none
 */
export function toolPath(toolsDir: string | null): readonly string[] {
  return toolsDir === null ? MACHINE_PATH : [toolsDir, ...MACHINE_PATH];
}

/** The program that builds get by this name. @returns an absolute path; `null`: there is none */
export async function findTool(name: string, toolsDir: string | null): Promise<string | null> {
  for (const folder of toolPath(toolsDir)) {
    const path = join(folder, name);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return null;
}
