import { join } from 'node:path';
import type { PayloadAppDto } from '../../../native-builds/runner-builds/build-payload.dto.js';
import { StepError } from '../../steps/build-run.js';
import type { CapacitorConfig } from '../../steps/project/capacitor-config.js';
import {
  capacitorDir,
  describeProject as describe,
  findProjectKind,
  findWebBuildOf,
  isIn,
  type NativeProjectKind,
} from '../../steps/project/native-project.js';
import type { FindWebBuild } from '../../steps/project/project-config.js';
import type { ProjectFolder } from '../../steps/project/project-folder.js';

/** What the root of a Gradle project has. */
const SETTINGS = ['settings.gradle', 'settings.gradle.kts', 'gradlew'];
const CORDOVA_DIR = 'platforms/android';
const DEFAULT_DIR = 'android';

/** The Android project in a working copy. */
export interface AndroidProject {
  readonly kind: NativeProjectKind;
  /** The root of the Gradle project, relative to the working copy. Cordova makes it. */
  readonly gradleDir: string;
}

/**
 * Finds out from the files what kind of project it is.
 *
 * @param baseDir relative to the working copy
 * @param config as `read` of `capacitorDir`
 * @throws StepError when it is none, with what to do
 */
export async function findAndroidProject(
  files: ProjectFolder,
  baseDir: string,
  config: CapacitorConfig | null = null,
): Promise<AndroidProject> {
  const kind = await findProjectKind(files, baseDir);
  if (kind === 'capacitor') return { kind, gradleDir: await capacitorDir(files, baseDir, 'android', config) };
  if (kind === 'cordova') return { kind, gradleDir: join(baseDir, CORDOVA_DIR) };
  for (const folder of ['', DEFAULT_DIR]) {
    if (await isIn(files, join(baseDir, folder))(SETTINGS)) {
      return { kind, gradleDir: join(baseDir, folder === '' ? '.' : folder).replace(/^\.$/, '') };
    }
  }
  throw new StepError(
    'configuration',
    `${baseDir === '' ? 'The repository' : baseDir} has no Android project (no folder "android", no settings.gradle, no config.xml of Cordova): run "npx cap add android" and commit it, or set "baseDir" in capawesome.config.json.`,
  );
}

/** As `FindWebBuild`. */
export const findAndroidWebBuild: FindWebBuild = async (files, baseDir, manager) => {
  const { kind } = await findAndroidProject(files, baseDir);
  return findWebBuildOf(kind, files, baseDir, manager);
};

/** For the log. */
export function describeProject({ kind, gradleDir }: AndroidProject, appType: PayloadAppDto['type']): string {
  return describe(kind, gradleDir, 'android', appType);
}
