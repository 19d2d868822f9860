import type { Check } from '../../sandbox/check.js';
import type { BuildOptions } from '../build-options.js';
import { findBuildTools, findSdk } from './android-sdk.js';
import { findJdks } from './jdks.js';

type AndroidOptions = Pick<BuildOptions, 'androidHome' | 'jdkDir'>;

/** Checks what builds of Android apps need. @param isWanted whether the runner builds for Android */
export async function androidChecks(options: AndroidOptions, isWanted: boolean): Promise<Check[]> {
  if (!isWanted && options.androidHome === null) {
    const message = 'not set up: RUNNER_ANDROID_HOME names the folder of the SDK.';
    return [{ name: 'Android', status: 'ok', message }];
  }
  return [await jdkCheck(options), ...(await sdkChecks(options)), await buildToolsCheck(options)];
}

async function jdkCheck({ jdkDir }: AndroidOptions): Promise<Check> {
  const jdks = await findJdks(jdkDir);
  if (jdks.length > 0) {
    const message = jdks.map(({ major, home }) => `${major} (${home})`).join(', ');
    return { name: 'JDK', status: 'ok', message };
  }
  const where = jdkDir === null ? '/usr/lib/jvm' : `${jdkDir} and /usr/lib/jvm`;
  const message = `There is no JDK in ${where}: install openjdk-21-jdk-headless, or set RUNNER_JDK_DIR.`;
  return { name: 'JDK', status: 'failed', message };
}

async function sdkChecks({ androidHome }: AndroidOptions): Promise<Check[]> {
  const name = 'Android SDK';
  const sdk = await findSdk(androidHome);
  if (sdk === null) {
    const message =
      androidHome === null
        ? 'RUNNER_ANDROID_HOME is not set: Gradle finds no SDK.'
        : `RUNNER_ANDROID_HOME names ${androidHome}, which does not exist.`;
    return [{ name, status: androidHome === null ? 'warning' : 'failed', message }];
  }
  const licence: Check = sdk.hasLicence
    ? { name: 'Licences', status: 'ok', message: 'android-sdk-license is accepted.' }
    : {
        name: 'Licences',
        status: 'failed',
        message: `${androidHome}/licenses has no android-sdk-license: run "sdkmanager --licenses".`,
      };
  const platforms: Check =
    sdk.platforms.length > 0
      ? { name, status: 'ok', message: sdk.platforms.join(', ') }
      : {
          name,
          status: 'warning',
          message: `${androidHome}/platforms is empty, and builds cannot install any: install one with sdkmanager, such as "platforms;android-35".`,
        };
  return [platforms, licence];
}

async function buildToolsCheck({ androidHome }: AndroidOptions): Promise<Check> {
  const name = 'Build-tools';
  const tools = await findBuildTools(androidHome);
  if (tools !== null) {
    return { name, status: 'ok', message: tools.version ?? `those of the system (${tools.apksigner})` };
  }
  const message =
    'apksigner and zipalign are missing: install "build-tools;35.0.0" with sdkmanager, or apt-get install apksigner zipalign.';
  return { name, status: 'failed', message };
}
