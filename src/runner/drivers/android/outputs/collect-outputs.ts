import { join } from 'node:path';
import type { BuildOptions } from '../../../steps/build-options.js';
import type { BuildProject } from '../../../steps/build-project.js';
import type { BuiltFile } from '../../../steps/build-run.js';
import { findBuildTools } from '../../../steps/tools/android-sdk.js';
import { gradleSigns } from '../gradle/gradle-signing.js';
import { type GradleBuild, outputsDir } from '../gradle/run-gradle.js';
import { signArtifact } from '../signing/sign-artifact.js';
import { copyOutput } from './copy-output.js';
import { findOutputs, type GradleOutput } from './find-outputs.js';
import { packSymbols } from './symbols.js';

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
  const isSignedHere = !variant.isDebug && run.payload.certificate !== null && !gradleSigns(run, variant);
  const files: BuiltFile[] = [];
  for (const output of outputs) files.push(await copy(project, output, isSignedHere));
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
  }
  return symbols === null ? files : [...files, symbols];
}

async function copy(
  project: BuildProject,
  { type, path, fileName }: GradleOutput,
  isSignedHere: boolean,
): Promise<BuiltFile> {
  const name = isSignedHere ? fileName.replace(/-unsigned(?=\.apk$)/, '') : fileName;
  const target = join(project.run.folders.artifacts, name);
  await copyOutput(project, path, target);
  return { type, fileName: name, path: target };
}

function explainSignature({ variant }: GradleBuild, hasCertificate: boolean): string {
  if (variant.isDebug) {
    return `Debug builds keep the signature of Gradle${hasCertificate ? ', so the certificate is not used' : ''}`;
  }
  return hasCertificate
    ? 'The files have the signature that Gradle made'
    : 'The build has no certificate: unless the project signs by itself, devices cannot install the apk, and Google Play does not take the aab';
}

async function report({ run }: BuildProject, outputs: readonly GradleOutput[]): Promise<void> {
  const described = outputs.find(({ packageName }) => packageName !== null);
  if (described === undefined) return;
  const { packageName, packageVersion } = described;
  await run.report({ packageName, ...(packageVersion === null ? {} : { packageVersion }) });
}
