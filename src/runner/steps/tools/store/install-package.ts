import { mkdir, rm } from 'node:fs/promises';
import type { PackageRegistry, PublishedPackage } from './package-registry.js';
import { unpackPackage } from './unpack-package.js';

/**
 * Downloads a package and unpacks it. Nothing of it runs.
 *
 * @param folder does not exist, or is empty
 * @throws RegistryError, PackageError
 */
export async function installPackage(
  registry: PackageRegistry,
  published: PublishedPackage,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = `${folder}.tgz`;
  try {
    await registry.download(published, file);
    await unpackPackage(file, folder, signal);
  } finally {
    await rm(file, { force: true });
  }
}
