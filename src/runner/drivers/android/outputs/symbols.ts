import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openPromise } from 'yauzl';
import type { BuildProject } from '../../../steps/build-project.js';
import type { BuiltFile } from '../../../steps/build-run.js';
import type { OutputFile } from '../../../steps/outputs/output-files.js';
import { zipFiles } from '../../../steps/outputs/zip-files.js';
import { namePaths } from '../../../steps/source/lfs-pointer.js';

const FILE_NAME = 'symbols.zip';
/** As Gradle packs the symbols of native libraries. */
const ARCHIVE = 'native-debug-symbols.zip';
const MAX_BYTES = 1024 ** 3;
const MAX_LIBRARIES = 2000;
/** `<variant>/<task>/out/lib/<abi>/<name>.so`: the names between differ between versions of the plugin. */
const MAX_DEPTH = 5;
const LIBRARY = /(?:^|\/)lib\/([\w-]{1,30})\/([\w.+-]{1,200}\.so)$/;

/**
 * Packs what makes stack traces readable: `mapping.txt` of R8, and the symbols of native libraries, or the libraries with
 * their symbols.
 *
 * @param buildDir the folder `build` of the module
 * @param variant as Gradle calls it
 * @returns `null`: the build has none
 */
export async function packSymbols(
  project: BuildProject,
  buildDir: string,
  variant: string,
): Promise<BuiltFile | null> {
  const { run } = project;
  const outputs = join(buildDir, 'outputs');
  const mapping = await fileAt(project, join(outputs, 'mapping', variant, 'mapping.txt'), 'mapping.txt');
  const symbols = await findArchive(project, join(outputs, 'native-debug-symbols', variant, ARCHIVE));
  const libraries = symbols === null ? await findLibraries(project, buildDir, variant) : [symbols];
  const files = withoutTooLarge(run, [...(mapping === null ? [] : [mapping]), ...libraries]);
  if (files.length === 0) return null;
  const path = join(run.folders.artifacts, FILE_NAME);
  await zipFiles(files, path, run.signal);
  run.log.line(`Packed ${files.length} files of symbols to ${FILE_NAME}`);
  return { type: 'zip', fileName: FILE_NAME, path };
}

/** Leaves out the largest files until the rest fits, which the log says. */
function withoutTooLarge({ log }: BuildProject['run'], files: readonly OutputFile[]): OutputFile[] {
  let size = files.reduce((sum, file) => sum + file.size, 0);
  const left = new Set<string>();
  for (const file of files.toSorted((a, b) => b.size - a.size)) {
    if (size <= MAX_BYTES) break;
    size -= file.size;
    left.add(file.name);
  }
  if (left.size > 0) {
    log.line(
      `${FILE_NAME} has at most 1 GiB, so it is without ${namePaths([...left])}: stack traces of it stay unreadable`,
    );
  }
  return files.filter(({ name }) => !left.has(name));
}

/** @returns `null`: there is none, or it is damaged, which the log says */
async function findArchive(project: BuildProject, path: string): Promise<OutputFile | null> {
  const archive = await fileAt(project, path, ARCHIVE);
  if (archive === null) return null;
  const zip = await openPromise(archive.path, { autoClose: false }).catch(() => null);
  zip?.close();
  if (zip !== null) return archive;
  project.run.log.line(`${path} is damaged: it cannot be read as a zip, so ${FILE_NAME} is without it`);
  return null;
}

/** Libraries that Gradle has not stripped yet. */
async function findLibraries(
  project: BuildProject,
  buildDir: string,
  variant: string,
): Promise<OutputFile[]> {
  const found: OutputFile[] = [];
  let level = [join(buildDir, 'intermediates/merged_native_libs', variant)];
  for (let depth = 0; depth <= MAX_DEPTH && found.length < MAX_LIBRARIES; depth++) {
    const below: string[] = [];
    for (const dir of level.slice(0, MAX_LIBRARIES)) {
      for (const { name, isFolder } of await project.files.list('output', dir)) {
        const path = join(dir, name);
        if (isFolder) below.push(path);
        const [, abi, library] = LIBRARY.exec(path) ?? [];
        if (isFolder || abi === undefined) continue;
        const file = await fileAt(project, path, `native-libs/${abi}/${library}`);
        if (file !== null && found.every((other) => other.name !== file.name)) found.push(file);
      }
    }
    level = below;
  }
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** @returns `null`: there is no such file, or it has nothing, which the log says */
async function fileAt({ files, run }: BuildProject, path: string, name: string): Promise<OutputFile | null> {
  const found = await files.resolve('output', path);
  if (found === null) return null;
  const stats = await stat(found);
  if (stats.isFile() && stats.size > 0) return { name, path: found, size: stats.size };
  run.log.line(
    `${path} is ${stats.isFile() ? 'empty' : 'not an ordinary file'}, so ${FILE_NAME} is without it`,
  );
  return null;
}
