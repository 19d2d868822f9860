import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildOptions } from '../../../steps/build-options.js';
import type { BuildProject } from '../../../steps/build-project.js';
import { type BuiltFile, StepError } from '../../../steps/build-run.js';
import { copyOutput } from '../../../steps/outputs/copy-output.js';
import { findBuildTools } from '../../../steps/tools/android-sdk.js';
import { gradleSigns } from '../gradle/gradle-signing.js';
import { type GradleBuild, outputsDir } from '../gradle/run-gradle.js';
import { signArtifact } from '../signing/sign-artifact.js';
import { findOutputs, type GradleOutput, signedName } from './find-outputs.js';
import { hasSignature } from './has-signature.js';
import { packSymbols } from './symbols.js';

/** What all packages of a build may have together, in bytes. */
const MAX_BYTES = 4 * 1024 ** 3;

/**
 * Takes what Gradle has made: copies it out of the reach of the build, signs it, and reports to the API what it is.
 *
 * @throws StepError when something is missing, or cannot be signed
 */
export async function collectOutputs(
  project: BuildProject,
  build: GradleBuild,
  options: BuildOptions,
): Promise<BuiltFile[]> {
  const { run } = project;
  const { variant, jdk } = build;
  const outputs = await findOutputs(project, outputsDir(build), variant);
  const hasGradleSigned = gradleSigns(run, variant);
  const isSignedHere = !variant.isDebug && run.payload.certificate !== null && !hasGradleSigned;
  const files: BuiltFile[] = [];
  await requireRoom(project, outputs);
  for (const { type, path, fileName } of outputs) {
    const name = isSignedHere ? signedName(fileName) : fileName;
    const target = join(run.folders.artifacts, name);
    await copyOutput(project.files, path, target, run.signal);
    files.push({ type, fileName: name, path: target });
  }
  if (hasGradleSigned) for (const file of files) await requireSigned(file);
  const symbols = variant.isDebug
    ? null
    : await packSymbols(project, join(outputsDir(build), '..'), variant.name);
  await report(project, outputs);
  const { certificate } = run.payload;
  if (isSignedHere && certificate !== null) {
    const buildTools = await findBuildTools(options.androidHome);
    for (const { type, path } of files) {
      if (type !== 'apk' && type !== 'aab') continue;
      await signArtifact(run, { type, path }, certificate, { buildTools, jdk });
    }
  } else {
    run.log.line(explainSignature(build, certificate !== null));
    await logUnsigned(run, files);
  }
  return symbols === null ? files : [...files, symbols];
}

/** A build can name files that take no space on its own disk, but do on that of the runner. @throws StepError */
async function requireRoom({ files }: BuildProject, outputs: readonly GradleOutput[]): Promise<void> {
  let size = 0;
  for (const { path } of outputs) {
    const found = await files.resolve('output', path);
    size += found === null ? 0 : (await stat(found)).size;
  }
  if (size > MAX_BYTES) throw new StepError('output', 'The files that Gradle made have more than 4 GiB.');
}

/** @throws StepError when Gradle says by the name of an apk that it was not signed, or there is no signature */
async function requireSigned({ fileName, path }: BuiltFile): Promise<void> {
  if (fileName === signedName(fileName) && (await hasSignature(path))) return;
  throw new StepError(
    'sign',
    `ANDROID_GRADLE_SIGNING is set, but Gradle did not sign ${fileName}: remove the variable, and the runner signs.`,
  );
}

function explainSignature({ variant }: GradleBuild, hasCertificate: boolean): string {
  if (variant.isDebug) {
    return `Debug builds keep the signature of Gradle${hasCertificate ? ', so the certificate is not used' : ''}`;
  }
  return hasCertificate
    ? 'The files have the signature that Gradle made'
    : 'The build has no certificate: the files are signed only if the project does it';
}

async function logUnsigned({ log }: BuildProject['run'], files: readonly BuiltFile[]): Promise<void> {
  for (const { type, fileName, path } of files) {
    if (await hasSignature(path)) continue;
    log.line(
      `${fileName} is unsigned: ${type === 'aab' ? 'Google Play does not take it' : 'devices do not install it'}`,
    );
  }
}

async function report({ run }: BuildProject, outputs: readonly GradleOutput[]): Promise<void> {
  const described = outputs.find(({ packageName }) => packageName !== null);
  if (described === undefined) return;
  const { packageName, packageVersion } = described;
  await run.report({ packageName, ...(packageVersion === null ? {} : { packageVersion }) });
}
