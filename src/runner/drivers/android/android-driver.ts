import { join } from 'node:path';
import type { BuildOptions } from '../../steps/build-options.js';
import type { BuildProject } from '../../steps/build-project.js';
import { type BuildRun, type BuiltFile, StepError, variableOf } from '../../steps/build-run.js';
import { BuildCaches } from '../../steps/caches/build-caches.js';
import { installDependencies } from '../../steps/install.js';
import { inStep } from '../../steps/machine-errors.js';
import { openProject } from '../../steps/open-project.js';
import { requireFetchedFiles } from '../../steps/outputs/unfetched-files.js';
import { overrideCordova } from '../../steps/overrides/apply-overrides.js';
import { overridesOf } from '../../steps/overrides/override-values.js';
import type { CapacitorConfig } from '../../steps/project/capacitor-config.js';
import { syncProject } from '../../steps/project/sync-project.js';
import { findJdks, type Jdk } from '../../steps/tools/jdks.js';
import { buildNativeAssets } from '../../steps/web-assets.js';
import { type ApplicationModule, findApplicationModule } from './gradle/application-module.js';
import { chooseJdk } from './gradle/choose-jdk.js';
import { findPluginVersion } from './gradle/plugin-version.js';
import { type GradleBuild, runGradle } from './gradle/run-gradle.js';
import { gradleSigns } from './gradle/gradle-signing.js';
import { type Variant, variantOf } from './gradle/variant.js';
import { collectOutputs } from './outputs/collect-outputs.js';
import { overrideGradle } from './overrides/overrides.js';
import { requireUsableAlias } from './signing/keystore.js';
import {
  type AndroidProject,
  describeProject,
  findAndroidProject,
  findAndroidWebBuild,
} from './android-project.js';

const CACHES = ['packages', 'node_modules', 'gradle'] as const;
/** What Cordova calls its only app. */
const CORDOVA_MODULE: ApplicationModule = { dir: 'app', path: ':app', buildFile: 'build.gradle' };

/** Builds an Android app with Gradle. As `Driver`. */
export async function buildAndroid(run: BuildRun, options: BuildOptions): Promise<readonly BuiltFile[]> {
  const variant = variantOf(run);
  gradleSigns(run, variant);
  const alias = variant.isDebug ? null : (run.payload.certificate?.keyAlias ?? null);
  if (alias !== null) requireUsableAlias(alias);
  overridesOf(run.payload);
  const jdks = await requireJdks(run, options);
  const project = await openProject(run, options, findAndroidWebBuild);
  const found = await inStep('configuration', () => openAndroid(project));
  requireKnownVariant(run, found);
  const caches = await inStep('install', () => BuildCaches.restore(project, options, CACHES));
  if (project.config.hasDependencies) await inStep('install', () => installDependencies(project, caches));
  const capacitor = await buildNativeAssets(project, found.kind);
  const android = await inStep('configuration', () => locate(project, found, capacitor));
  if (android.kind === 'cordova') await inStep('configuration', () => overrideCordova(project, 'android'));
  await inStep('native', () =>
    syncProject(project, 'android', { kind: android.kind, dir: android.gradleDir }),
  );
  const build = await inStep('configuration', () => prepare(project, android, variant, jdks));
  await inStep('native', () => runGradle(project, build, options));
  const files = await inStep('output', () => collectOutputs(project, build, options));
  await inStep('output', () => requireFetchedFiles(project, files));
  run.signal.throwIfAborted();
  await caches.keep();
  return files;
}

/** What must be there is looked for before anything takes time. @throws StepError */
async function requireJdks(run: BuildRun, { jdkDir }: BuildOptions): Promise<readonly Jdk[]> {
  const jdks = await findJdks(jdkDir);
  const wanted = variableOf(run, 'JAVA_VERSION');
  if (jdks.length === 0 || (wanted?.trim() ?? '') !== '') chooseJdk(jdks, wanted, null);
  return jdks;
}

async function openAndroid({ files, config, run }: BuildProject): Promise<AndroidProject> {
  const android = await findAndroidProject(files, config.baseDir);
  run.log.line(describeProject(android, run.payload.app.type));
  return android;
}

/** Only now a configuration of Capacitor that is a program has said where the project is. @throws StepError */
async function locate(
  { files, config, run }: BuildProject,
  found: AndroidProject,
  capacitor: CapacitorConfig | null,
): Promise<AndroidProject> {
  if (capacitor === null) return found;
  const android = await findAndroidProject(files, config.baseDir, capacitor);
  if (android.gradleDir !== found.gradleDir) {
    run.log.line(`${capacitor.file} says that the Android project is in ${android.gradleDir}`);
  }
  return android;
}

/** Cordova calls Gradle itself, and knows two build types. @throws StepError */
function requireKnownVariant(run: BuildRun, { kind }: AndroidProject): void {
  const variable = ['ANDROID_FLAVOR', 'ANDROID_BUILD_TYPE'].find(
    (name) => (variableOf(run, name)?.trim() ?? '') !== '',
  );
  if (kind === 'cordova' && variable !== undefined) {
    throw new StepError(
      'configuration',
      `${variable} is set, but Cordova projects have the build types debug and release only.`,
    );
  }
}

/** After the project is complete: its app, its values, and the Java that it needs. */
async function prepare(
  project: BuildProject,
  android: AndroidProject,
  variant: Variant,
  jdks: readonly Jdk[],
): Promise<GradleBuild> {
  const { files, run } = project;
  const { kind, gradleDir } = android;
  const module = kind === 'cordova' ? CORDOVA_MODULE : await findApplicationModule(files, gradleDir);
  if (kind !== 'cordova') await overrideGradle(project, gradleDir, module);
  const version = await findPluginVersion(files, gradleDir);
  const jdk = chooseJdk(jdks, variableOf(run, 'JAVA_VERSION'), version);
  run.log.line(
    `Using JDK ${jdk.major} for ${version === null ? 'an Android Gradle plugin of unknown version' : `the Android Gradle plugin ${version}`}`,
  );
  const where = join(gradleDir, module.dir);
  run.log.line(`Building the variant ${variant.name} of ${where === '.' ? 'the project' : where}`);
  return { android, module, variant, jdk };
}
