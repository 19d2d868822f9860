import { join } from 'node:path';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { removeFolder } from '../../../folders/remove-folder.js';
import type { BuildOptions } from '../../../steps/build-options.js';
import type { BuildProject } from '../../../steps/build-project.js';
import { cacheFolder } from '../../../steps/caches/cache-parts.js';
import type { Jdk } from '../../../steps/tools/jdks.js';
import type { AndroidProject } from '../android-project.js';
import { StepError } from '../../../steps/build-run.js';
import type { ApplicationModule } from './application-module.js';
import { heapOf, memoryProperties, withGradleProperties } from './gradle-home.js';
import { gradleSigns, withGradleKey } from './gradle-signing.js';
import { tasksOf, type Variant } from './variant.js';

const SCRIPT = 'gradlew';
const JAR = 'gradle/wrapper/gradle-wrapper.jar';
const MAX_BYTES = 1024 * 1024;
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** What Gradle builds, and with what. */
export interface GradleBuild {
  readonly android: AndroidProject;
  readonly module: ApplicationModule;
  readonly variant: Variant;
  readonly jdk: Jdk;
}

/** Where the outputs of a module are, relative to the working copy. */
export function outputsDir({ android, module }: Pick<GradleBuild, 'android' | 'module'>): string {
  return join(android.gradleDir, module.dir, 'build/outputs');
}

/**
 * Empties the outputs, and builds the variant.
 *
 * @throws StepError when Gradle fails
 */
export async function runGradle(
  project: BuildProject,
  build: GradleBuild,
  options: BuildOptions,
): Promise<void> {
  const { run, files } = project;
  const { android, module, variant, jdk } = build;
  const stale = await files.resolve('native', outputsDir(build));
  if (stale !== null) await removeFolder(stale);
  const env = toolEnvironment(options, jdk, run.sandbox.inner.cache);
  const { memoryMiB } = options;
  run.log.line(
    `Gradle gets ${heapOf(memoryMiB)} MiB of heap, half of RUNNER_MEMORY; org.gradle.jvmargs of the project does not count`,
  );
  const start = (keys: Readonly<Record<string, string>> = {}): Promise<void> =>
    withGradleProperties(project, { ...memoryProperties(memoryMiB), ...keys }, () =>
      android.kind === 'cordova'
        ? compileCordova(project, variant, env)
        : runWrapper(project, android.gradleDir, tasksOf(variant, module.path), env),
    );
  const { certificate } = run.payload;
  if (certificate === null || !gradleSigns(run, variant)) return start();
  run.log.line('Gradle signs (ANDROID_GRADLE_SIGNING): the build can read the key and its passwords');
  return withGradleKey(run, certificate, start);
}

/** What Gradle and its tools are found by. */
export function toolEnvironment(
  { androidHome }: Pick<BuildOptions, 'androidHome'>,
  jdk: Jdk,
  cache: string,
): Record<string, string> {
  return {
    JAVA_HOME: jdk.home,
    GRADLE_USER_HOME: cacheFolder(cache, 'gradle'),
    ...(androidHome === null ? {} : { ANDROID_HOME: androidHome, ANDROID_SDK_ROOT: androidHome }),
  };
}

async function runWrapper(
  project: BuildProject,
  gradleDir: string,
  tasks: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  await prepareWrapper(project, gradleDir);
  const command = ['./gradlew', ...tasks, '--no-daemon', '--console=plain'] as const;
  await project.executeProgram('native', 'Building with Gradle', command, { cwd: gradleDir, env });
}

/** Cordova writes files of Gradle before it runs it, and makes the wrapper with the `gradle` of the machine. */
async function compileCordova(
  project: BuildProject,
  { types, isDebug }: Variant,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const cwd = project.config.baseDir;
  for (const type of types) {
    const packageType = type === 'aab' ? 'bundle' : 'apk';
    const command = ['npx', '--no', '--', 'cordova', 'compile', 'android'] as const;
    const args = [isDebug ? '--debug' : '--release', '--', `--packageType=${packageType}`];
    await project.executeProgram('native', `Building the ${type}`, [...command, ...args], { cwd, env });
  }
}

/**
 * Checks the Gradle wrapper of a project, and makes it executable: a zip can have lost its mode.
 *
 * @param gradleDir relative to the working copy
 * @throws StepError when it cannot run, with what to do
 */
async function prepareWrapper({ files, run }: BuildProject, gradleDir: string): Promise<void> {
  const script = join(gradleDir, SCRIPT);
  const text = await files.read('native', script, MAX_BYTES);
  if (text === null) {
    throw fail(`There is no ${script}: run "gradle wrapper" in this folder, and commit what it makes.`);
  }
  if (text.includes('\r\n')) {
    throw fail(
      `${script} has Windows line endings (CRLF), so it does not run: add the line "gradlew text eol=lf" to .gitattributes, run "git add --renormalize ${script}" and commit.`,
    );
  }
  if ((await files.resolve('native', join(gradleDir, JAR))) === null) {
    throw fail(
      `There is no ${join(gradleDir, JAR)}: remove "*.jar" from .gitignore, or add the line "!gradle-wrapper.jar", and commit the file.`,
    );
  }
  const file = await open((await files.resolve('native', script)) ?? script, READ_FLAGS);
  try {
    const { mode } = await file.stat();
    if ((mode & 0o111) === 0o111) return;
    await file.chmod(0o755);
    run.log.line(`Made ${script} executable`);
  } finally {
    await file.close();
  }
}

function fail(message: string): StepError {
  return new StepError('native', message);
}
