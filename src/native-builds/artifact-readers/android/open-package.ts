import { TooMuchWorkError, type WorkBudget } from '../../../common/work-budget.js';
import type { ArtifactZip } from '../artifact-zip.js';
import type { AppPackage, ResourceValue } from './app-package.js';
import type { XmlNode } from './xml-node.js';

export const MAX_MANIFEST_BYTES = 1024 * 1024;
const MAX_TABLE_BYTES = 64 * 1024 * 1024;

/** Where a kind of packages has what, and in which form. */
export interface PackageForm {
  readonly tablePath: string;
  readonly readTable: (file: Buffer, work: WorkBudget) => { valuesOf(id: number): readonly ResourceValue[] };
  /** Which the paths of resources are in, with a slash at the end. */
  readonly folder: string;
  readonly parse: (file: Buffer, work: WorkBudget) => XmlNode;
}

/**
 * A package with its resources. An app without resources that can be read has neither a label nor an icon that are
 * resources: both are for people only, so that is no reason to refuse it.
 *
 * @throws TooMuchWorkError as all functions of the package
 */
export async function openPackage(
  zip: ArtifactZip,
  manifest: XmlNode,
  { tablePath, readTable, folder, parse }: PackageForm,
): Promise<AppPackage> {
  const table = await zip
    .read(tablePath, MAX_TABLE_BYTES)
    .then((file) => readTable(file, zip.work))
    .catch(unlessTooMuchWork(null));
  return {
    manifest,
    parse: (file) => parse(file, zip.work),
    valuesOf: (id) => {
      try {
        return table?.valuesOf(id) ?? [];
      } catch (error) {
        return unlessTooMuchWork([])(error);
      }
    },
    file: (path, maxBytes) => zip.read(`${folder}${path}`, maxBytes).catch(unlessTooMuchWork(null)),
  };
}

/** What takes the place of a part that cannot be read. */
function unlessTooMuchWork<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof TooMuchWorkError) throw error;
    return value;
  };
}
