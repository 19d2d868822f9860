import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** A bundle to import. */
export interface ImportItem {
  /** What it is called in messages and in the journal: a path within the folder, or an address. */
  readonly name: string;
  /** Path of a zip, or an `http(s)` address. */
  readonly location: string;
  /**
   * Fields of `POST /v1/apps/{appId}/bundles`, such as `channelName` or `minIosAppVersionCode`; and `bundleId`, under which
   * devices know it.
   */
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Finds what is to be imported, in the order in which it will be.
 *
 * @param source a folder with zips, each with its fields in `<zip>.json` if it has any, by path; or a file with one
 *   bundle a line, an address or a JSON object with `url` and fields, in the order of the lines
 * @throws Error with a sentence for people
 */
export async function readItems(source: string): Promise<ImportItem[]> {
  const found = await stat(source).catch(() => null);
  if (found === null) throw new Error(`${source} does not exist.`);
  return found.isDirectory() ? readFolder(source) : readList(source);
}

async function readFolder(folder: string): Promise<ImportItem[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const zips = entries.filter((entry) => entry.isFile() && /\.zip$/i.test(entry.name));
  const paths = zips.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return Promise.all(
    paths.map(async (location) => {
      const sidecar = `${location}.json`;
      const text = await readFile(sidecar, 'utf8').catch(() => '{}');
      return { name: relative(folder, location), location, values: parseObject(text, sidecar) };
    }),
  );
}

/** Lines about manifests are for `readManifestItems`. */
async function readList(file: string): Promise<ImportItem[]> {
  const lines = await readLines(file);
  return lines
    .filter(({ fields }) => !('manifest' in fields))
    .map(({ place, fields: { url, ...values } }) => {
      const address = toAddress(url, place);
      return { name: address, location: address, values };
    });
}

/** The lines of a list that say something, as objects. @throws Error with a sentence for people */
export async function readLines(
  file: string,
): Promise<{ readonly place: string; readonly fields: Readonly<Record<string, unknown>> }[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').map((line) => line.trim());
  return lines.flatMap((line, index) => {
    if (line === '' || line.startsWith('#')) return [];
    const place = `${file}:${index + 1}`;
    return { place, fields: line.startsWith('{') ? parseObject(line, place) : { url: line } };
  });
}

/** @throws Error when it is no address, with the place in the list */
export function toAddress(url: unknown, place: string): string {
  if (typeof url === 'string' && /^https?:\/\//.test(url) && URL.canParse(url)) return url;
  throw new Error(`${place}: an http or https address is expected.`);
}

function parseObject(text: string, place: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Reported below.
  }
  throw new Error(`${place} is not a JSON object.`);
}
