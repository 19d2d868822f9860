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
import { findXcodes, type Xcode } from '../../steps/tools/xcodes.js';
import { buildNativeAssets } from '../../steps/web-assets.js';
import { type ProfileType, profileTypes } from '../../../common/provisioning-profiles.js';
import { collectSigned, collectSimulatorApp } from './outputs/collect-outputs.js';
import { overrideIos } from './overrides/override-ios.js';
import { installGems, installPods, podVariables } from './project/install-pods.js';
import { findScheme, type Scheme, schemeVariable } from './project/find-scheme.js';
import {
  describeIosProject,
  findIosFolder,
  findIosProject,
  findIosWebBuild,
  type IosFolder,
  type IosProject,
} from './project/ios-project.js';
import { planSigning, type SigningPlan } from './signing/plan/signing-plan.js';
import { chooseXcode, nameOf } from './xcode/choose-xcode.js';
import { buildForDevices, buildForSimulator } from './xcode/run-xcode.js';
import { makeXcodeFolders } from './xcode/xcode-folders.js';
import { type SignableTarget, XcodeProject } from './xcode-project/xcode-project.js';

/** `simulator` is signed by nothing; the others are those of provisioning profiles. */
type IosBuildType = 'simulator' | ProfileType;
const types: readonly string[] = ['simulator', ...profileTypes];

const CACHES = ['packages', 'node_modules', 'pods', 'swift-packages'] as const;

/** What is built, after the project says it. */
interface Target {
  readonly ios: IosProject;
  readonly scheme: Scheme;
  readonly targets: readonly SignableTarget[];
  /** `null`: the build is not signed. */
  readonly plan: SigningPlan | null;
}

/** Builds an iOS app with Xcode. As `Driver`. */
export async function buildIos(run: BuildRun, options: BuildOptions): Promise<readonly BuiltFile[]> {
  const type = iosBuildTypeOf(run);
  requireMachine(run);
  requireCertificate(run, type);
  schemeVariable(run);
  overridesOf(run.payload);
  const xcode = chooseXcode(await findXcodes(options.xcodeDir), variableOf(run, 'XCODE_VERSION'));
  const project = await openProject(run, options, findIosWebBuild);
  run.log.line(`Using Xcode ${nameOf(xcode)}`);
  const found = await inStep('configuration', () => openIos(project));
  const caches = await inStep('install', () => BuildCaches.restore(project, options, CACHES));
  if (project.config.hasDependencies) await inStep('install', () => installDependencies(project, caches));
  const capacitor = await buildNativeAssets(project, found.kind);
  const folder = await inStep('configuration', () => locate(project, found, capacitor));
  const { kind } = folder;
  if (kind === 'cordova') await inStep('configuration', () => overrideCordova(project, 'ios'));
  // Before pods are installed, which takes long. Cordova has no project yet.
  else await inStep('configuration', () => findTarget(project, folder, type, true));
  await inStep('native', () => installGems(project, folder, xcode, options));
  await inStep('native', () => syncProject(project, 'ios', folder, podVariables(project, xcode)));
  const target = await inStep('configuration', () => findTarget(project, folder, type, false));
  await inStep('native', () => installPods(project, target.ios, xcode, options));
  const files = await build(project, folder, target, xcode, options);
  await inStep('output', () => requireFetchedFiles(project, files));
  run.signal.throwIfAborted();
  await caches.keep();
  return files;
}

/** Keychains and Xcode belong to a user of a Mac: nothing keeps the build apart from them. @throws StepError */
function requireMachine({ sandbox, folders }: BuildRun): void {
  if (sandbox.inner.repo === folders.repo) return;
  throw new StepError(
    'configuration',
    'iOS apps are built on a Mac, where there is no sandbox: this runner has one, so it cannot run Xcode.',
  );
}

/** @throws StepError when the build cannot be signed */
function requireCertificate({ payload, log }: BuildRun, type: IosBuildType): void {
  if (type === 'simulator') {
    const unused = payload.certificate === null ? '' : ', so the certificate is not used';
    log.line(`The app for the simulator is unsigned${unused}`);
  } else if (payload.certificate === null) {
    throw new StepError('sign', `A build of the type ${type} needs a certificate, and this one has none.`);
  }
}

async function openIos({ files, config, run }: BuildProject): Promise<IosFolder> {
  const folder = await findIosFolder(files, config.baseDir);
  run.log.line(describeIosProject(folder, run.payload.app.type));
  return folder;
}

/** Only now a configuration of Capacitor that is a program has said where the project is. @throws StepError */
async function locate(
  { files, config, run }: BuildProject,
  found: IosFolder,
  capacitor: CapacitorConfig | null,
): Promise<IosFolder> {
  if (capacitor === null) return found;
  const folder = await findIosFolder(files, config.baseDir, capacitor);
  if (folder.dir !== found.dir)
    run.log.line(`${capacitor.file} says that the iOS project is in ${folder.dir}`);
  return folder;
}

/**
 * What the scheme builds, and how it is signed, as the project is now.
 *
 * @param isFirst the values of the configuration are not in the project yet
 */
async function findTarget(
  project: BuildProject,
  folder: IosFolder,
  type: IosBuildType,
  isFirst: boolean,
): Promise<Target> {
  const { files, run } = project;
  const ios = await findIosProject(files, folder);
  const scheme = await findScheme(files, ios, run, type === 'simulator' ? 'run' : 'archive');
  if (isFirst) await overrideIos(project, ios, scheme);
  const xcodeProject = await XcodeProject.open(files, ios.projectPath);
  const targets = await xcodeProject.signableTargets(scheme.configuration, scheme.target);
  return { ios, scheme, targets, plan: type === 'simulator' ? null : planSigning(run, type, targets) };
}

async function build(
  project: BuildProject,
  folder: IosFolder,
  target: Target,
  xcode: Xcode,
  options: BuildOptions,
): Promise<readonly BuiltFile[]> {
  const { run, files } = project;
  // CocoaPods makes the workspace.
  const ios = await inStep('configuration', () => findIosProject(files, folder));
  const { scheme, plan, targets } = target;
  const folders = await inStep('native', () => makeXcodeFolders(run.folders, scheme.scheme));
  const xcodeBuild = { project: ios, scheme, folders };
  run.log.line(
    `Building the scheme ${scheme.scheme} with the configuration ${scheme.configuration} of ${ios.workspacePath ?? ios.projectPath}`,
  );
  if (plan === null) {
    await inStep('native', () => buildForSimulator(project, xcodeBuild, xcode));
    const bundleId = targets.find(({ isMain }) => isMain)?.bundleId ?? '';
    return inStep('output', () => collectSimulatorApp(run, xcodeBuild, bundleId));
  }
  for (const { target: name, bundleId, profile } of plan.targets) {
    run.log.line(`Signing ${name} (${bundleId}) with the profile ${profile.name} (${profile.uuid})`);
  }
  await buildForDevices(project, xcodeBuild, xcode, plan, options);
  return inStep('output', () => collectSigned(run, xcodeBuild));
}

/** @throws StepError when this runner does not know it */
function iosBuildTypeOf({ payload }: Pick<BuildRun, 'payload'>): IosBuildType {
  const { type } = payload.build;
  if (type !== null && isIosBuildType(type)) return type;
  throw new StepError(
    'configuration',
    `This runner does not know iOS builds of the type ${JSON.stringify((type ?? 'none').slice(0, 50))}: update it.`,
  );
}

function isIosBuildType(type: string): type is IosBuildType {
  return types.includes(type);
}
