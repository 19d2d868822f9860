import { join } from 'node:path';
import type { BuildOptions } from '../../build-options.js';
import type { NodeVersion } from '../node-versions.js';
import { installPackage } from '../store/install-package.js';
import { PackageRegistry, type PublishedPackage, RegistryError } from '../store/package-registry.js';
import { VersionFolder } from '../store/version-folder.js';
import { writePackagePrograms } from '../store/write-programs.js';
import { fits, newestIn, type NodeRange, parseRange } from './node-ranges.js';

/** The programs of Node.js for this machine, one package for each platform. */
const PACKAGE = `${process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'}-${process.platform}-${process.arch}`;
const RELEASE = /^\d+\.\d+\.\d+$/;
/** The major of npm that comes with a major of Node.js. With others, the newest npm runs that can. */
const NPM_MAJORS: Readonly<Record<number, number>> = { 16: 8, 18: 10, 20: 10, 22: 10, 24: 11, 26: 11 };

/**
 * The newest Node.js of a range that the registry has, with an npm beside it, as in the archives of nodejs.org. Without the
 * registry, one that was fetched before.
 *
 * @param onNote gets a line when something was fetched
 * @throws RegistryError, PackageError
 */
export async function downloadNode(
  range: NodeRange,
  { storeDir, toolRegistry }: Pick<BuildOptions, 'storeDir' | 'toolRegistry'>,
  signal: AbortSignal,
  onNote: (line: string) => void,
): Promise<NodeVersion> {
  const registry = new PackageRegistry(toolRegistry, signal);
  const versions = new VersionFolder(storeDir);
  const published = await newestOf(registry, PACKAGE, range).catch(async (error: unknown) => {
    const stored = (await versions.list('node')).map((version) => ({ version }));
    const found = error instanceof RegistryError ? newestIn(stored, range) : undefined;
    if (found === undefined) throw error;
    return found;
  });
  const { version } = published;
  let folder = await versions.find('node', version);
  if (folder === null) {
    if (!('tarball' in published)) throw new RegistryError(`${toolRegistry} cannot be reached`);
    folder = await versions.add('node', version, async (draft) => {
      await installPackage(registry, published, draft, signal);
      const npm = 'lib/node_modules/npm';
      await installPackage(registry, await findNpm(registry, version), join(draft, npm), signal);
      await writePackagePrograms(draft, npm);
    });
    onNote(`Fetched Node.js ${version} from ${toolRegistry}`);
  }
  return { version, major: Number.parseInt(version, 10), path: join(folder, 'bin/node') };
}

async function newestOf(
  registry: PackageRegistry,
  name: string,
  range: NodeRange,
  suits: (published: PublishedPackage) => boolean = () => true,
): Promise<PublishedPackage> {
  const releases = (await registry.list(name)).filter(
    (published) => RELEASE.test(published.version) && suits(published),
  );
  const found = newestIn(releases, range);
  if (found === undefined) throw new RegistryError(`${registry.url} has no ${name} that fits`);
  return found;
}

function findNpm(registry: PackageRegistry, nodeVersion: string): Promise<PublishedPackage> {
  const major = NPM_MAJORS[Number.parseInt(nodeVersion, 10)];
  const range = parseRange(major === undefined ? '*' : String(major)) ?? [];
  return newestOf(registry, 'npm', range, ({ nodeRange }) => fits(nodeVersion, nodeRange));
}
