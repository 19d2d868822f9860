import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Where Debian and Ubuntu install `apksigner` and `zipalign`. */
const SYSTEM_DIR = '/usr/bin';

/** The programs of an SDK that align and sign. Absolute paths. */
export interface BuildTools {
  readonly apksigner: string;
  readonly zipalign: string;
  /** Of the build-tools, such as `35.0.0`; `null`: those of the system. */
  readonly version: string | null;
}

/**
 * The newest build-tools of the SDK, else those of the system.
 *
 * @param androidHome the SDK; `null`: there is none
 * @returns `null`: this machine has none
 */
export async function findBuildTools(androidHome: string | null): Promise<BuildTools | null> {
  const folder = androidHome === null ? null : join(androidHome, 'build-tools');
  for (const version of folder === null ? [] : await newestFirst(folder)) {
    const tools = await toolsIn(join(folder ?? '', version), version);
    if (tools !== null) return tools;
  }
  return toolsIn(SYSTEM_DIR, null);
}

async function toolsIn(folder: string, version: string | null): Promise<BuildTools | null> {
  const tools = { apksigner: join(folder, 'apksigner'), zipalign: join(folder, 'zipalign'), version };
  try {
    await Promise.all([tools.apksigner, tools.zipalign].map((path) => access(path, constants.X_OK)));
    return tools;
  } catch {
    return null;
  }
}

/** The names of versions in a folder; `35.0.0` is newer than `35.0.0-rc2`, and `9` older than `35`. */
async function newestFirst(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^\d/.test(name));
  return names.toSorted(
    (a, b) =>
      Number(a.includes('-')) - Number(b.includes('-')) || b.localeCompare(a, 'en', { numeric: true }),
  );
}

/** What an Android SDK has. */
export interface AndroidSdk {
  /** Such as `android-35`, the newest first. */
  readonly platforms: readonly string[];
  /** Whether its licence was accepted: otherwise Gradle does not use it. */
  readonly hasLicence: boolean;
}

/** @returns `null`: there is no such folder */
export async function findSdk(androidHome: string | null): Promise<AndroidSdk | null> {
  if (androidHome === null || !(await isThere(androidHome))) return null;
  const names = await readdir(join(androidHome, 'platforms')).catch(() => []);
  return {
    platforms: names
      .filter((name) => /^android-\w/.test(name))
      .toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true })),
    hasLicence: await isThere(join(androidHome, 'licenses/android-sdk-license')),
  };
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
