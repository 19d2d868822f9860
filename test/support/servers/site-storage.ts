import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isOnS3, prefixOf } from '../../setup/object-storage.js';

/** What tests look at in the storage of a server, behind its back. */
export interface SiteStorage {
  /** Names of what is being written, or was when the server was killed. */
  incoming(): Promise<string[]>;
  /** Ids of the objects. */
  objects(): Promise<string[]>;
  /** The bytes of an object. */
  read(id: string): Promise<Buffer>;
  /** Removes everything. */
  clear(): Promise<void>;
}

/** @param dataDir of the server */
export async function siteStorage(dataDir: string): Promise<SiteStorage> {
  if (!isOnS3) return new DiskSiteStorage(join(dataDir, 'storage'));
  const { S3SiteStorage } = await import('../s3/s3-site-storage.js');
  return new S3SiteStorage(prefixOf(dataDir));
}

class DiskSiteStorage implements SiteStorage {
  constructor(private readonly folder: string) {}

  incoming(): Promise<string[]> {
    return filesBelow(join(this.folder, 'incoming'));
  }

  objects(): Promise<string[]> {
    return filesBelow(join(this.folder, 'objects/blobs'));
  }

  async read(id: string): Promise<Buffer> {
    const path = join(this.folder, 'objects/blobs', id.slice(-2), id);
    if (!existsSync(`${path}@`)) return readFile(path);
    const parts = (await readdir(`${path}@`)).sort();
    return Buffer.concat(await Promise.all(parts.map((part) => readFile(join(`${path}@`, part)))));
  }

  async clear(): Promise<void> {
    for (const name of ['objects', 'incoming']) {
      await rm(join(this.folder, name), { recursive: true, force: true, maxRetries: 3 });
    }
  }
}

/** Names of all files below a folder, sorted; none when it does not exist. */
async function filesBelow(folder: string): Promise<string[]> {
  for (;;) {
    try {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return (
        entries
          // A joined object is a folder, named after the object with an `@`.
          .filter((entry) => (entry.isFile() && !entry.parentPath.endsWith('@')) || entry.name.endsWith('@'))
          .map(({ name }) => name.replace(/@$/, ''))
          .sort()
      );
    } catch {
      // A folder below it may have been removed while it was read.
      if (!existsSync(folder)) return [];
    }
  }
}
