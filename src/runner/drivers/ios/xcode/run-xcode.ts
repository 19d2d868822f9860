import { writeFile } from 'node:fs/promises';
import type { BuildOptions } from '../../../steps/build-options.js';
import type { BuildProject } from '../../../steps/build-project.js';
import type { BuildStep } from '../../../steps/build-run.js';
import { inStep } from '../../../steps/machine-errors.js';
import type { Xcode } from '../../../steps/tools/xcodes.js';
import type { SigningPlan } from '../signing/plan/signing-plan.js';
import { signingSettings } from '../signing/plan/signing-settings.js';
import { type OpenSigning, withSigning } from '../signing/with-signing.js';
import { XcodeProject } from '../xcode-project/xcode-project.js';
import { usesCloudContainers } from './cloud-containers.js';
import { exportOptions } from './export-options.js';
import { xcodeEnvironment } from './xcode-environment.js';
import { archiveCommand, exportCommand, simulatorCommand, type XcodeBuild } from './xcodebuild-arguments.js';

/** Builds for the simulators of a Mac. @throws StepError when Xcode fails */
export function buildForSimulator(project: BuildProject, build: XcodeBuild, xcode: Xcode): Promise<void> {
  return runXcode(project, 'native', 'Building for the simulator', simulatorCommand(build), build, xcode);
}

/** Builds for devices, signs, and makes the ipa. @throws StepError when Xcode fails, or cannot sign */
export async function buildForDevices(
  project: BuildProject,
  build: XcodeBuild,
  xcode: Xcode,
  plan: SigningPlan,
  options: BuildOptions,
): Promise<void> {
  await withSigning(project.run, options, plan, async (open) => {
    await inStep('sign', () => writeSigning(project, build, plan, open));
    const archive = archiveCommand(build, open.keychain);
    await runXcode(project, 'native', 'Building the archive', archive, build, xcode);
    await inStep('sign', () => writeExportOptions(project, build, xcode, plan, open));
    await runXcode(project, 'sign', 'Exporting the ipa', exportCommand(build), build, xcode);
  });
}

async function writeSigning(
  { files }: BuildProject,
  { project, scheme }: XcodeBuild,
  plan: SigningPlan,
  { identity }: OpenSigning,
): Promise<void> {
  const xcodeProject = await XcodeProject.open(files, project.projectPath);
  for (const [target, settings] of signingSettings(plan, identity)) {
    xcodeProject.setSigning(target, scheme.configuration, settings);
  }
  await xcodeProject.save();
}

async function writeExportOptions(
  project: BuildProject,
  build: XcodeBuild,
  { version }: Xcode,
  plan: SigningPlan,
  { identity }: OpenSigning,
): Promise<void> {
  const text = exportOptions(plan, {
    xcodeVersion: version,
    identity,
    usesCloudContainers: await usesCloudContainers(project, build.project.dir),
  });
  await writeFile(build.folders.exportOptions, text, { mode: 0o600 });
}

function runXcode(
  project: BuildProject,
  step: BuildStep,
  title: string,
  command: readonly [string, ...string[]],
  build: XcodeBuild,
  xcode: Xcode,
): Promise<void> {
  return project.executeProgram(step, title, command, {
    cwd: build.project.dir,
    env: xcodeEnvironment(xcode),
  });
}
