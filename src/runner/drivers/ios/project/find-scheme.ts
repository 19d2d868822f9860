import { basename, join } from 'node:path';
import { type BuildRun, StepError, variableOf } from '../../../steps/build-run.js';
import type { ProjectFolder } from '../../../steps/project/project-folder.js';
import { XcodeProject } from '../xcode-project/xcode-project.js';
import { attributeOf, tagsOf, type XmlTag } from '../../../steps/overrides/xml-tags.js';
import { textOfXml } from '../../../steps/overrides/xml-text.js';
import type { IosProject } from './ios-project.js';

/** What is done with a scheme: archives are for devices, runs for the simulator. */
type SchemeAction = 'archive' | 'run';

/** A target that a scheme names. */
interface SchemeTarget {
  readonly id: string;
  readonly name: string;
  /** The project's file name, such as `App.xcodeproj`. */
  readonly project: string;
}

/** A shared scheme, as far as one of its actions needs it. */
interface SchemeFile {
  /** The targets that the action builds, in order. */
  readonly built: readonly SchemeTarget[];
  /** What Xcode starts. */
  readonly started: SchemeTarget | null;
  readonly configuration: string;
}

/** The names of files of schemes, and what Xcode takes if they do not say it. */
const ACTIONS = {
  archive: { element: 'ArchiveAction', attribute: 'buildForArchiving', configuration: 'Release' },
  run: { element: 'LaunchAction', attribute: 'buildForRunning', configuration: 'Debug' },
} as const;

const VARIABLE = 'IOS_SCHEME';
const ENDING = '.xcscheme';
const MAX_BYTES = 1024 * 1024;
const MAX_SHOWN = 20;
const MAX_NAME = 200;
/** Letters, digits and what names of schemes have. Nothing that a shell or an option begins with. */
const NAME = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N} ._+()@,:-]{0,199}$/u;

/** What `xcodebuild` is asked to build. */
export interface Scheme {
  readonly scheme: string;
  /** Of the archive action for devices, of the run action for the simulator. */
  readonly configuration: string;
  /** The app target that the scheme builds. */
  readonly target: string;
}

/** The value of `IOS_SCHEME`, checked before the source is there. @throws StepError when it cannot be the name of a scheme */
export function schemeVariable(run: Pick<BuildRun, 'payload'>): string | null {
  const value = variableOf(run, VARIABLE)?.trim() ?? '';
  if (value === '') return null;
  if (NAME.test(value)) return value;
  throw new StepError(
    'configuration',
    `${VARIABLE} is ${JSON.stringify(value.slice(0, 200))}, which cannot be the name of a scheme: it has up to 200 letters, digits, spaces and ._-+()@,: and begins with a letter, a digit or _.`,
  );
}

/**
 * Finds the scheme: the one of `IOS_SCHEME`, else the only shared one, else the one called as the app target.
 *
 * @throws StepError when there is none, or several, with their names
 */
export async function findScheme(
  files: ProjectFolder,
  project: IosProject,
  run: Pick<BuildRun, 'payload'>,
  action: SchemeAction,
): Promise<Scheme> {
  const wanted = schemeVariable(run);
  const apps = (await XcodeProject.open(files, project.projectPath)).apps();
  if (apps.length === 0) {
    throw new StepError('configuration', `${project.projectPath} has no target that is an app.`);
  }
  const shared = await sharedSchemes(files, project);
  const names = apps.map(({ name }) => name);
  // Without shared schemes, Xcode makes one of each target.
  const scheme = chooseName(shared.size === 0 ? names : [...shared.keys()], names, wanted);
  requireName(scheme);
  const path = shared.get(scheme);
  if (path === undefined) return { scheme, configuration: defaultConfiguration(action), target: scheme };
  const file = readScheme((await files.read('configuration', path, MAX_BYTES)) ?? '', action);
  const target = appOf(file, apps, basename(project.projectPath));
  if (target !== null) return { scheme, configuration: file.configuration, target };
  throw new StepError(
    'configuration',
    `The scheme ${shown(scheme)} builds no app of ${project.projectPath}: set ${VARIABLE} to another one.`,
  );
}

/** The files of the schemes by name. Those of a workspace come first. */
async function sharedSchemes(
  files: ProjectFolder,
  { projectPath, workspacePath }: IosProject,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const container of workspacePath === null ? [projectPath] : [workspacePath, projectPath]) {
    const folder = join(container, 'xcshareddata/xcschemes');
    for (const { name, isFolder } of await files.list('configuration', folder)) {
      const scheme = name.slice(0, -ENDING.length);
      if (!isFolder && name.endsWith(ENDING) && !found.has(scheme)) found.set(scheme, join(folder, name));
    }
  }
  return found;
}

function chooseName(schemes: readonly string[], apps: readonly string[], wanted: string | null): string {
  const all = schemes.slice(0, MAX_SHOWN).map((name) => shown(name));
  if (wanted !== null) {
    if (schemes.includes(wanted)) return wanted;
    throw new StepError(
      'configuration',
      `${VARIABLE} is ${shown(wanted)}, but the project has the schemes ${all.join(', ')}. Xcode shares a scheme if "Shared" is checked in "Manage Schemes".`,
    );
  }
  const candidates = schemes.length === 1 ? schemes : schemes.filter((name) => apps.includes(name));
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1) return only;
  throw new StepError(
    'configuration',
    `The project has several schemes: set ${VARIABLE} to one of ${all.join(', ')}.`,
  );
}

/** Names of files and targets become an argument, too, and a name of a folder: never an option, and never a path. */
function requireName(scheme: string): void {
  if (scheme !== '' && scheme.length <= MAX_NAME && !/^[-.]|[/\\\p{Cc}]/u.test(scheme)) return;
  throw new StepError(
    'configuration',
    `The scheme ${shown(scheme)} begins with "-" or ".", has "/", "\\" or control characters, or more than ${MAX_NAME} characters: rename it.`,
  );
}

/** The app that the action builds; of several, the one that Xcode starts, else the first. */
function appOf(file: SchemeFile, apps: ReturnType<XcodeProject['apps']>, project: string): string | null {
  const ids = new Set(file.built.filter((target) => target.project === project).map(({ id }) => id));
  const built = apps.filter(({ id }) => ids.has(id));
  const started = built.find(({ id }) => id === file.started?.id && file.started.project === project);
  const [first] = file.built.flatMap(({ id }) => built.find((app) => app.id === id) ?? []);
  return (started ?? first)?.name ?? null;
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}

/** The configuration of a scheme that Xcode makes itself. */
function defaultConfiguration(action: SchemeAction): string {
  return ACTIONS[action].configuration;
}

/** Reads a file `.xcscheme`. One that is no scheme builds nothing. */
function readScheme(xml: string, action: SchemeAction): SchemeFile {
  const { element, attribute, configuration } = ACTIONS[action];
  const built: SchemeTarget[] = [];
  const found = { started: null as SchemeTarget | null, configuration: configuration as string };
  const open = { entry: false, launch: false, runnable: false };
  for (const tag of tagsOf(xml)) {
    const isOpen = tag.kind === 'open';
    if (tag.name === 'BuildActionEntry') open.entry = isOpen && valueOf(tag, attribute) !== 'NO';
    if (tag.name === 'LaunchAction') open.launch = isOpen;
    if (tag.name === 'BuildableProductRunnable') open.runnable = isOpen && open.launch;
    if (tag.name === element && tag.kind !== 'close') {
      found.configuration = valueOf(tag, 'buildConfiguration') ?? configuration;
    }
    if (tag.name !== 'BuildableReference' || tag.kind === 'close') continue;
    if (open.entry) built.push(targetOf(tag));
    if (open.runnable) found.started = targetOf(tag);
  }
  return { built, ...found };
}

function targetOf(tag: XmlTag): SchemeTarget {
  return {
    id: valueOf(tag, 'BlueprintIdentifier') ?? '',
    name: valueOf(tag, 'BlueprintName') ?? '',
    project: basename(valueOf(tag, 'ReferencedContainer')?.replace(/^container:/, '') ?? ''),
  };
}

function valueOf(tag: XmlTag, name: string): string | undefined {
  const value = attributeOf(tag, name)?.value;
  return value === undefined ? undefined : textOfXml(value);
}
