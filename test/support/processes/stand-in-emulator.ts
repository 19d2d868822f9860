import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folders.js';

/** What `apps:builds:run --target-name` calls the emulator. */
export const EMULATOR_NAME = 'Pixel_8';

/**
 * Programs `emulator` and `adb` that behave as if one emulator ran. `adb` records its arguments in the file `calls`, a line
 * for each call, and keeps the app that it installs as `installed.apk`.
 *
 * @returns their folder, for `PATH`
 */
export async function makeEmulator(): Promise<string> {
  const folder = await temporaryFolder();
  const programs = {
    emulator: `[ "$1" = -list-avds ] && echo ${EMULATOR_NAME}`,
    adb: `
echo "$@" >> ${folder}/calls
case "$*" in
  devices) printf 'List of devices attached\\nemulator-5554\\tdevice\\n' ;;
  *'emu avd name') printf '${EMULATOR_NAME}\\nOK\\n' ;;
  *'getprop sys.boot_completed') echo 1 ;;
  *'install -r '*) cp "$5" ${folder}/installed.apk ;;
esac`,
  };
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, name), 0o755);
  }
  return folder;
}
