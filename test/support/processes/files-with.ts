import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The paths of the files below a folder that contain a text or bytes. Files that vanish meanwhile are left out. */
export async function filesWith(folder: string, content: string | Buffer): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const found = await Promise.all(
    paths.map(async (path) => (await readFile(path).catch(() => Buffer.alloc(0))).includes(content)),
  );
  return paths.filter((_path, index) => found[index]);
}
