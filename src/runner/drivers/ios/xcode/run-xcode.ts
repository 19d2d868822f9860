import { writeFile } from 'node:fs/promises';
import { build } from 'plist';
import type { BuildOptions } from '../../../steps/build-options.js';
import type { BuildProject } from '../../../steps/build-project.js';
import type { BuildStep } from '../../../steps/build-run.js';
import { inStep } from '../../../steps/machine-errors.js';
import { type Xcode, compareVersions } from '../../../steps/tools/xcodes.js';
import type { SigningPlan } from '../signing/plan/signing-plan.js';
import { signingSettings } from '../signing/plan/signing-settings.js';
import { type OpenSigning, withSigning } from '../signing/with-signing.js';
import { XcodeProject } from '../xcode-project/xcode-project.js';
import { readPlist, valueOf } from '../../../../common/read-plist.js';
import { findFiles } from '../../../steps/caches/find-files.js';
import type { ProfileType } from '../../../../common/provisioning-profiles.js';
import { xcodeEnvironment } from './xcode-environment.js';
import { archiveCommand, exportCommand, simulatorCommand, type XcodeBuild } from './xcodebuild-arguments.js';

/** The first version with the new names of methods, which also knows the old ones and warns about them. */
const NEW_NAMES_SINCE = '15.3';
const METHODS: Readonly<Record<ProfileType, { readonly since: string; readonly before: string }>> = {
  development: { since: 'debugging', before: 'development' },
  'ad-hoc': { since: 'release-testing', before: 'ad-hoc' },
  'app-store': { since: 'app-store-connect', before: 'app-store' },
  enterprise: { since: 'enterprise', before: 'enterprise' },
};

/** How an archive becomes an ipa. */
export interface ExportFacts {
  readonly xcodeVersion: string;
  /** SHA-1 fingerprint of the certificate. */
  readonly identity: string;
  /** The app uses containers of iCloud: then the options say which of their environments it gets. */
  readonly usesCloudContainers: boolean;
}

const MAX_BYTES = 256 * 1024;
const CONTAINERS = 'com.apple.developer.icloud-container-identifiers';

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

/** Whether a file with entitlements in the folder of the project names containers of iCloud. @throws StepError when one cannot be read */
async function usesCloudContainers({ files }: BuildProject, dir: string): Promise<boolean> {
  for (const path of (await findFiles(files, dir, /\.entitlements$/)) ?? []) {
    const text = await files.read('configuration', path, MAX_BYTES);
    if (text !== null && namesContainers(text)) return true;
  }
  return false;
}

function namesContainers(text: string): boolean {
  try {
    const containers = valueOf(readPlist(Buffer.from(text)), CONTAINERS);
    return Array.isArray(containers) && containers.length > 0;
  } catch {
    return false;
  }
}

/** The property list of `-exportOptionsPlist`, as `xcodebuild -help` describes it. */
export function exportOptions(plan: SigningPlan, facts: ExportFacts): string {
  const { since, before } = METHODS[plan.type];
  const isNew = compareVersions(facts.xcodeVersion, NEW_NAMES_SINCE) >= 0;
  return build({
    method: isNew ? since : before,
    destination: 'export',
    signingStyle: 'manual',
    teamID: plan.teamId,
    signingCertificate: facts.identity,
    provisioningProfiles: Object.fromEntries(
      plan.targets.map(({ bundleId, profile }) => [bundleId, profile.uuid]),
    ),
    // The build number does not change after the build.
    ...(plan.type === 'app-store' ? { uploadSymbols: false, manageAppVersionAndBuildNumber: false } : {}),
    ...(facts.usesCloudContainers
      ? { iCloudContainerEnvironment: plan.type === 'development' ? 'Development' : 'Production' }
      : {}),
  });
}
