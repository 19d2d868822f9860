import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** Writes a zip. @param entries by their paths, those of folders with a slash at the end */
export function zipOfEntries(entries: Readonly<Record<string, Buffer>>, compress = true): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, bytes] of Object.entries(entries)) {
    if (path.endsWith('/')) {
      zip.addEmptyDirectory(path);
      continue;
    }
    // The runtime reads resources where they lie.
    zip.addBuffer(bytes, path, { compress: compress && path !== 'resources.arsc' });
  }
  zip.end();
  return buffer(zip.outputStream);
}
