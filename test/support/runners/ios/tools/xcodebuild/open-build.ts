import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Refused } from '../refused.ts';
import type { Arguments } from './arguments.ts';
import { compile } from './compile.ts';
import { type BuiltTarget, PbxProject } from './pbxproj.ts';

/** What a scheme builds. */
export interface OpenBuild {
  readonly project: PbxProject;
  readonly configuration: string;
  readonly app: BuiltTarget;
  /** The app, and all that it embeds. */
  readonly targets: readonly BuiltTarget[];
}

const APP = 'com.apple.product-type.application';

/**
 * Finds what is built, as far as Xcode comes before it signs: packages, pods, the compiler.
 *
 * @throws Refused
 */
export async function openBuild(given: Arguments): Promise<OpenBuild> {
  const [action, second] = given.actions;
  if (action === undefined || second !== undefined) {
    throw new Refused(
      `xcodebuild: error: one action is expected here, not ${JSON.stringify(given.actions)}`,
      64,
    );
  }
  const { container, project } = openContainer(given);
  const scheme = given.value('-scheme');
  const target = targetOf(container, project, scheme);
  const configuration = given.value('-configuration');
  const [app] = project.targets(configuration, (id, name) => id === target || name === target);
  if (app?.productType !== APP)
    throw new Refused('xcodebuild: error: Found no destinations for the scheme.', 70);
  resolvePackages(project, given);
  requirePods(project, given);
  await compile(project.folder, action);
  return { project, configuration, app, targets: [app, ...app.embedded.flatMap(withEmbedded)] };
}

function withEmbedded(target: BuiltTarget): BuiltTarget[] {
  return [target, ...target.embedded.flatMap(withEmbedded)];
}

/** xcodebuild(1): -project and -workspace exclude each other; the latter needs a scheme. */
function openContainer(given: Arguments): { container: string; project: PbxProject } {
  const workspace = given.optional('-workspace');
  const path = given.optional('-project');
  if ((workspace === undefined) === (path === undefined)) {
    throw new Refused('xcodebuild: error: either -project or -workspace is expected here', 64);
  }
  const container = resolve(workspace ?? path ?? '');
  if (!existsSync(container)) {
    throw new Refused(`xcodebuild: error: '${basename(container)}' does not exist.`, 66);
  }
  if (workspace === undefined) return { container, project: new PbxProject(container) };
  const data = readFileSync(join(container, 'contents.xcworkspacedata'), 'utf8');
  const projects = [...data.matchAll(/location\s*=\s*"group:([^"]+\.xcodeproj)"/g)]
    .map(([, location]) => join(dirname(container), location ?? ''))
    .filter((location) => basename(location) !== 'Pods.xcodeproj');
  const [first] = projects;
  if (first === undefined) throw new Refused('xcodebuild: error: The workspace has no project.', 66);
  return { container, project: new PbxProject(first) };
}

/**
 * Shared schemes of the workspace and of the project; without any, Xcode makes one for each target ("Autocreate schemes").
 *
 * @returns the id or the name of the app target
 */
function targetOf(container: string, project: PbxProject, scheme: string): string {
  const folders = [container, project.path].map((path) => join(path, 'xcshareddata/xcschemes'));
  const files = folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const file = files.find((path) => basename(path) === `${scheme}.xcscheme`);
  if (file !== undefined) {
    const [, blueprint] = /BlueprintIdentifier\s*=\s*"([^"]+)"/.exec(readFileSync(file, 'utf8')) ?? [];
    return blueprint ?? '';
  }
  if (files.length === 0) return scheme;
  const kind = container === project.path ? 'project' : 'workspace';
  const name = basename(container).replace(/\.\w+$/, '');
  throw new Refused(
    `xcodebuild: error: The ${kind} named "${name}" does not contain a scheme named "${scheme}". The "-list" option can be used to find the names of the schemes in the ${kind}.`,
    65,
  );
}

/** -clonedSourcePackagesDirPath: "Overrides the directory in which remote source packages are, or expected to be, found." */
function resolvePackages(project: PbxProject, given: Arguments): void {
  const folder = given.optional('-clonedSourcePackagesDirPath');
  if (!project.hasPackages || folder === undefined) return;
  const repository = join(folder, 'repositories/capacitor-swift-pm-2a1b');
  const verb = existsSync(repository) ? 'Updating' : 'Fetching';
  process.stdout.write(
    `Resolve Package Graph\n${verb} from https://github.com/ionic-team/capacitor-swift-pm.git\n`,
  );
  mkdirSync(repository, { recursive: true });
  mkdirSync(join(folder, 'checkouts'), { recursive: true });
  writeFileSync(join(repository, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, 'workspace-state.json'), JSON.stringify({ folder }));
}

/**
 * The phase "[CP] Check Pods Manifest.lock", which CocoaPods adds to each target (target_integrator.rb), and what a build
 * without the workspace lacks.
 */
function requirePods({ folder }: PbxProject, given: Arguments): void {
  if (!existsSync(join(folder, 'Podfile'))) return;
  if (given.optional('-workspace') === undefined) {
    throw new Refused(
      `${join(folder, 'App/AppDelegate.swift')}:2:8: error: no such module 'Capacitor'\n** ARCHIVE FAILED **`,
      65,
    );
  }
  const [lock, manifest] = ['Podfile.lock', 'Pods/Manifest.lock'].map((name) => {
    const path = join(folder, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : null;
  });
  if (lock !== null && lock === manifest) return;
  throw new Refused(
    "error: The sandbox is not in sync with the Podfile.lock. Run 'pod install' or update your CocoaPods installation.",
    65,
  );
}
