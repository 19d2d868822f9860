import { rawGet, type RawResponse } from '../devices/raw-get.js';
import { sha256 } from '../sha256.js';
import { unzip } from './archives.js';
import { MANIFEST } from './uploads.js';

/** Asks for the archive between two bundles, as a client without a token. @param query without question mark */
export function getDelta(
  origin: string,
  appPath: string,
  to: string,
  query: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawResponse> {
  return rawGet(origin, `${appPath}/bundles/${to}/delta?${query}`, headers);
}

/**
 * Puts a bundle together as a client does: from what it has and the archive.
 *
 * @param known the files that it has
 * @returns the files of the bundle by path; each has the checksum of the manifest
 */
export function assemble(archive: Buffer, known: readonly (string | Buffer)[]): Map<string, string> {
  const delta = unzip(archive);
  const contents = new Map(
    [...delta.values(), ...known.map((content) => Buffer.from(content))].map((c) => [sha256(c), c]),
  );
  const manifest = JSON.parse(String(delta.get(MANIFEST))) as { href: string; checksum: string }[];
  return new Map(
    manifest.map(({ href, checksum }) => {
      const content = contents.get(checksum);
      if (content === undefined) throw new Error(`${href} is in neither.`);
      return [href, content.toString()];
    }),
  );
}
