import { basename, join } from 'node:path';
import { realpath, rm, stat } from 'node:fs/promises';
import { type BuildRun, type BuiltFile, StepError } from '../../../steps/build-run.js';
import { copyOutput } from '../../../steps/outputs/copy-output.js';
import { ProjectFolder } from '../../../steps/project/project-folder.js';
import type { XcodeBuild } from '../xcode/xcodebuild-arguments.js';
import { zipFiles, type ZipEntry } from '../../../steps/outputs/zip-files.js';
import { type AppFacts, readAppFacts, reportApp } from './app-facts.js';
import { listFolder } from './list-folder.js';

const FILE_NAME = /^[^/\\\p{C}]{1,200}$/u;

/** As much as the API takes: 2 GiB. */
const MAX_BYTES = 2 * 1024 ** 3;

/** A folder that goes into a zip. */
interface PackedFolder {
  /** Absolute. */
  readonly path: string;
  /** In the zip. */
  readonly name: string;
}

/** The suffix of the products for the simulator, behind the configuration. */
const SIMULATOR = '-iphonesimulator';

/**
 * Takes the app for the simulator: a zip with the app at its root.
 *
 * @param bundleId of the app target
 * @throws StepError when it is missing
 */
export async function collectSimulatorApp(
  run: BuildRun,
  { folders, scheme }: XcodeBuild,
  bundleId: string,
): Promise<BuiltFile[]> {
  const files = await ProjectFolder.at(folders.root);
  const products = join(
    basename(folders.derivedData),
    'Build/Products',
    `${scheme.configuration}${SIMULATOR}`,
  );
  const name = await findApp(files, products, bundleId);
  const facts = await readAppFacts(files, join(products, name));
  const packed = { path: join(folders.root, products, name), name };
  const built = await packFolders(run, 'app', [packed], `${name}.zip`);
  await reportApp(run, facts);
  return [built];
}

/**
 * Takes the ipa, the archive and its symbols, and reports what was built.
 *
 * @throws StepError when the ipa or the archive is missing
 */
export async function collectSigned(run: BuildRun, { folders }: XcodeBuild): Promise<BuiltFile[]> {
  const files = await ProjectFolder.at(folders.root);
  const archive = basename(folders.archive);
  const facts = await archivedApp(files, archive);
  const exported = basename(folders.exported);
  const ipa = await findOnly(files, exported, '.ipa');
  const target = join(run.folders.artifacts, ipa);
  await copyOutput(files, join(exported, ipa), target, run.signal);
  const built: BuiltFile[] = [{ type: 'ipa', fileName: ipa, path: target }];
  const symbols = await namesOf(files, join(archive, 'dSYMs'), '.dSYM');
  if (symbols.length > 0) {
    const packed = symbols.map((name) => ({ path: join(folders.archive, 'dSYMs', name), name }));
    const fileName = archive.replace(/\.xcarchive$/, '.dSYM.zip');
    built.push(await packFolders(run, 'dsym', packed, fileName));
  } else {
    run.log.line('The archive has no symbols, so there is no dSYM: see DEBUG_INFORMATION_FORMAT');
  }
  const packed = [{ path: folders.archive, name: archive }];
  built.push(await packFolders(run, 'xcarchive', packed, `${archive}.zip`));
  await reportApp(run, facts);
  return built;
}

async function archivedApp(files: ProjectFolder, archive: string): Promise<AppFacts> {
  const products = join(archive, 'Products/Applications');
  if ((await files.resolve('output', archive)) === null) {
    throw new StepError('output', 'Xcode made no archive.');
  }
  return readAppFacts(files, join(products, await findOnly(files, products, '.app')));
}

/** The only file or folder in a folder with such an ending. @throws StepError when there is none, or several, with their names */
export async function findOnly(
  files: ProjectFolder,
  folder: string,
  ending: '.ipa' | '.app',
): Promise<string> {
  const names = await namesOf(files, folder, ending);
  const [only, second] = names;
  if (only !== undefined && second === undefined) return only;
  throw new StepError(
    'output',
    only === undefined
      ? `Xcode made no ${ending.slice(1)}: the scheme builds no app for iOS.`
      : `Xcode made several files ${ending} (${shown(names)}), and a build has one.`,
  );
}

/**
 * The app among those that a scheme has built: app clips and other apps of the project lie beside it.
 *
 * @param bundleId of the app target
 * @throws StepError when there is none
 */
export async function findApp(files: ProjectFolder, folder: string, bundleId: string): Promise<string> {
  const names = await namesOf(files, folder, '.app');
  if (names.length === 1) return findOnly(files, folder, '.app');
  for (const name of names) {
    if ((await readAppFacts(files, join(folder, name))).packageName === bundleId) return name;
  }
  throw new StepError(
    'output',
    names.length === 0
      ? 'Xcode made no app for the simulator: the scheme builds none for iOS.'
      : `None of the apps that Xcode made (${shown(names)}) has the bundle id ${bundleId}.`,
  );
}

/** The names in a folder with such an ending, by name. */
async function namesOf(files: ProjectFolder, folder: string, ending: string): Promise<string[]> {
  const entries = await files.list('output', folder);
  return entries
    .filter(({ name, isFolder }) => name.endsWith(ending) && isFolder === (ending !== '.ipa'))
    .map(({ name }) => name)
    .filter((name) => FILE_NAME.test(name));
}

function shown(names: readonly string[]): string {
  return names.slice(0, 10).join(', ');
}

/**
 * Packs folders, each of which is at the root of the zip.
 *
 * @param fileName of the zip, in the folder `artifacts` of the job
 * @throws StepError when they cannot be packed
 */
export async function packFolders(
  { folders, log, signal }: Pick<BuildRun, 'folders' | 'log' | 'signal'>,
  type: BuiltFile['type'],
  packed: readonly PackedFolder[],
  fileName: string,
): Promise<BuiltFile> {
  const entries: ZipEntry[] = [];
  for (const { path, name } of packed) entries.push(...(await listFolder(await realpath(path), name)));
  const path = join(folders.artifacts, fileName);
  log.line(`Packing ${entries.length} files to ${fileName}`);
  await zipFiles(entries, path, signal);
  if ((await stat(path)).size > MAX_BYTES) {
    await rm(path);
    throw new StepError('output', `${fileName} has more than 2 GiB.`);
  }
  return { type, fileName, path };
}
