import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BuildTools } from '../../../steps/tools/android-sdk.js';
import type { Jdk } from '../../../steps/tools/jdks.js';
import { StepError } from '../../../steps/build-run.js';

/** What signs, as it was found on the machine of the runner. */
export interface SigningTools {
  /** `null`: there are none. */
  readonly buildTools: BuildTools | null;
  readonly jdk: Jdk;
}

/** A package that a build has made. */
export interface SignableArtifact {
  readonly type: 'apk' | 'aab';
  /** In the folder `artifacts` of the job. */
  readonly path: string;
}

/** The programs of a kind of package, with absolute paths. */
export interface ApkPrograms {
  readonly type: 'apk';
  readonly keytool: string;
  readonly apksigner: string;
  readonly zipalign: string;
}

/** The same for an Android App Bundle. */
export interface AabPrograms {
  readonly type: 'aab';
  readonly keytool: string;
  readonly jarsigner: string;
}

/** @throws StepError that names what the operator has to install */
export async function findPrograms(
  type: SignableArtifact['type'],
  { buildTools, jdk }: SigningTools,
): Promise<ApkPrograms | AabPrograms> {
  const keytool = await programOf(jdk, 'keytool');
  if (type === 'aab') return { type, keytool, jarsigner: await programOf(jdk, 'jarsigner') };
  if (buildTools === null) {
    throw new StepError(
      'sign',
      'This runner has neither apksigner nor zipalign: its operator installs the build-tools of the Android SDK (RUNNER_ANDROID_HOME), or the packages apksigner and zipalign of Debian.',
    );
  }
  return { type, keytool, apksigner: buildTools.apksigner, zipalign: buildTools.zipalign };
}

/** The folders that the programs are in. */
export function foldersOf({ buildTools, jdk }: SigningTools): string[] {
  const programs = buildTools === null ? [] : [buildTools.apksigner, buildTools.zipalign];
  return [...new Set([jdk.home, ...programs.map((path) => dirname(path))])];
}

async function programOf({ home, major }: Jdk, name: string): Promise<string> {
  const path = join(home, 'bin', name);
  try {
    await access(path, constants.X_OK);
    return path;
  } catch {
    throw new StepError(
      'sign',
      `Java ${major} of this runner has no ${name}: its operator installs a whole JDK, such as the package openjdk-${major}-jdk-headless.`,
    );
  }
}
