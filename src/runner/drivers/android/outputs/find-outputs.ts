import { join } from 'node:path';
import type { BuildProject } from '../../../steps/build-project.js';
import { StepError } from '../../../steps/build-run.js';
import { isObject, type ProjectFolder } from '../../../steps/project/project-folder.js';
import { isAskedFor, type Variant } from '../gradle/variant.js';

const METADATA = 'output-metadata.json';
const MAX_BYTES = 1024 * 1024;
/** `apk/<flavor>/<build type>`, and one more for what comes. */
const MAX_DEPTH = 3;
const MAX_FOLDERS = 1000;
/** The API takes 50 files of a build, and one is for symbols. */
const MAX_OUTPUTS = 49;
/** No control characters, and no half of a character: the API refuses both. */
const TEXT = /^[^\p{C}]{1,1000}$/u;
const FILE_NAME = /^[^/\\\p{C}]{1,200}$/u;

/** A file that Gradle has made. */
export interface GradleOutput {
  readonly type: 'apk' | 'aab';
  /** Relative to the working copy. */
  readonly path: string;
  readonly fileName: string;
  /** Not one of several for different devices, such as those for one processor. */
  readonly isUniversal: boolean;
  /** As Gradle says; `null`: it does not. */
  readonly packageName: string | null;
  readonly packageVersion: string | null;
}

/** What Gradle says about the apks of one variant. */
interface Described {
  readonly dir: string;
  readonly variant: string | null;
  readonly metadata: Record<string, unknown>;
}

/**
 * The files of a variant, as Gradle itself describes them. Of several apks, the one for all devices is first.
 *
 * @param folder `build/outputs` of the module, which was empty before Gradle ran
 * @throws StepError when there is none, or it is not clear which
 */
export async function findOutputs(
  project: BuildProject,
  folder: string,
  variant: Variant,
): Promise<GradleOutput[]> {
  const found: GradleOutput[] = [];
  for (const type of variant.types) {
    found.push(...(await (type === 'apk' ? findApks : findBundles)(project, folder, variant)));
  }
  requireDistinct(found);
  return found;
}

/** @throws StepError when there are too many files, or two that would have the same name */
function requireDistinct(outputs: readonly GradleOutput[]): void {
  if (outputs.length > MAX_OUTPUTS) {
    throw new StepError(
      'output',
      `Gradle made ${outputs.length} files, and a build can have ${MAX_OUTPUTS}: build fewer splits.`,
    );
  }
  const names = outputs.map(({ fileName }) => signedName(fileName));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new StepError('output', `Gradle names ${twice} twice.`);
}

/** What a file is called when it is signed. */
export function signedName(fileName: string): string {
  return fileName.replace(/-unsigned(?=\.apk$)/, '');
}

/**
 * Chooses what Gradle has built of a variant: a project can have one flavor only, of which no build says the name.
 *
 * @param built what it has built, with the names of its variants; `null`: Gradle does not name it
 * @param what for the log
 * @throws StepError when there is not exactly one that can be meant
 */
function chooseBuilt<B extends { readonly variant: string | null }>(
  { run }: BuildProject,
  built: readonly B[],
  variant: Variant,
  what: string,
): B {
  const [only, other] = built;
  const exact = built.find((one) => one.variant === variant.name);
  if (exact !== undefined) return exact;
  if (only !== undefined && other === undefined && only.variant === null) return only;
  const asked = built.filter((one) => one.variant !== null && isAskedFor(one.variant, variant));
  const names = built
    .map((one) => one.variant ?? 'one without a name')
    .slice(0, 10)
    .join(', ');
  if (asked.length > 1) {
    throw new StepError(
      'output',
      `Gradle built several variants (${names}): set ANDROID_FLAVOR to choose one.`,
    );
  }
  const [found] = asked;
  if (found === undefined) {
    throw new StepError(
      'output',
      `Gradle built ${names}, and not the variant ${variant.name}: set ANDROID_FLAVOR and ANDROID_BUILD_TYPE to what the project has.`,
    );
  }
  run.log.line(
    `The ${what} is of the variant ${found.variant}, the only one of the build type ${variant.buildType}`,
  );
  return found;
}

/** The metadata of each variant that Gradle has built. */
async function findApks(project: BuildProject, folder: string, variant: Variant): Promise<GradleOutput[]> {
  const parent = join(folder, 'apk');
  const described = await readMetadata(project.files, parent);
  if (described.length === 0) {
    throw new StepError('output', `Gradle made no apk with an ${METADATA} in ${parent}.`);
  }
  const chosen = chooseBuilt(project, described, variant, 'apk');
  const { metadata, dir } = chosen;
  const elements = Array.isArray(metadata['elements']) ? metadata['elements'].filter(isObject) : [];
  const outputs = elements.map((element) => toOutput(dir, element, textOf(metadata['applicationId'])));
  if (outputs.length === 0) throw new StepError('output', `${join(dir, METADATA)} names no file.`);
  return outputs.toSorted((a, b) => Number(b.isUniversal) - Number(a.isUniversal));
}

async function readMetadata(files: ProjectFolder, parent: string): Promise<Described[]> {
  const found: Described[] = [];
  let level = [parent];
  let visited = 0;
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const below: string[] = [];
    for (const dir of level) {
      if (++visited > MAX_FOLDERS) throw new StepError('output', `${parent} has too many folders.`);
      const metadata = await files.readJson('output', join(dir, METADATA), MAX_BYTES);
      if (metadata !== null) found.push({ dir, variant: textOf(metadata['variantName']), metadata });
      else below.push(...(await foldersIn(files, dir)));
    }
    level = below;
  }
  return found;
}

async function foldersIn(files: ProjectFolder, dir: string): Promise<string[]> {
  const entries = await files.list('output', dir);
  return entries.filter(({ isFolder }) => isFolder).map(({ name }) => join(dir, name));
}

function toOutput(dir: string, element: Record<string, unknown>, packageName: string | null): GradleOutput {
  const fileName = textOf(element['outputFile']) ?? '';
  if (!FILE_NAME.test(fileName) || !fileName.endsWith('.apk')) {
    throw new StepError('output', `${join(dir, METADATA)} names a file that is no apk.`);
  }
  const filters = element['filters'];
  return {
    type: 'apk',
    path: join(dir, fileName),
    fileName,
    isUniversal: !Array.isArray(filters) || filters.length === 0,
    packageName,
    packageVersion: textOf(element['versionName']),
  };
}

/** Gradle does not describe bundles: each variant has a folder with one. */
async function findBundles(project: BuildProject, folder: string, variant: Variant): Promise<GradleOutput[]> {
  const { files } = project;
  const parent = join(folder, 'bundle');
  const folders = (await files.list('output', parent)).filter(({ isFolder }) => isFolder);
  if (folders.length === 0) throw new StepError('output', `Gradle made no aab in ${parent}.`);
  const built = folders.map(({ name }) => ({ variant: name }));
  const dir = join(parent, chooseBuilt(project, built, variant, 'aab').variant);
  const entries = await files.list('output', dir);
  const bundles = entries.filter(({ name, isFolder }) => !isFolder && name.endsWith('.aab'));
  const [bundle] = bundles;
  if (bundle === undefined || bundles.length > 1 || !FILE_NAME.test(bundle.name)) {
    throw new StepError('output', `There are ${bundles.length} aabs in ${dir}, not one.`);
  }
  return [
    {
      type: 'aab',
      path: join(dir, bundle.name),
      fileName: bundle.name,
      isUniversal: true,
      packageName: null,
      packageVersion: null,
    },
  ];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && TEXT.test(value) ? value : null;
}
