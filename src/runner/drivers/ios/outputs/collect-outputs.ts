import { basename, join } from 'node:path';
import { type BuildRun, type BuiltFile, StepError } from '../../../steps/build-run.js';
import { copyOutput } from '../../../steps/outputs/copy-output.js';
import { ProjectFolder } from '../../../steps/project/project-folder.js';
import type { XcodeBuild } from '../xcode/xcodebuild-arguments.js';
import { type AppFacts, readAppFacts, reportApp } from './app-facts.js';
import { findApp, findOnly, namesOf } from './find-outputs.js';
import { packFolders } from './pack-folder.js';

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
