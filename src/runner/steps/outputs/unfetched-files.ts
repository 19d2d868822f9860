import { buffer } from 'node:stream/consumers';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { readZipName } from '../../../common/archives/zip-name.js';
import type { BuildProject } from '../build-project.js';
import { type BuiltFile, StepError } from '../build-run.js';
import {
  MAX_POINTER_BYTES,
  MIN_POINTER_BYTES,
  namePaths,
  parsePointer,
  POINTER_START,
} from '../source/lfs-pointer.js';

/** Files into which bundlers write small images and texts. */
const MAY_INCLUDE = /\.(?:js|mjs|cjs|css|html|json|svg)$/i;
/** A pointer in such a file, in Base64 or as a text in whatever quotation, with the SHA-256 of its file. */
const ENCODED_START = Buffer.from(POINTER_START).toString('base64');
const INCLUDED = new RegExp(
  `${ENCODED_START}[A-Za-z0-9+/=]{90,1300}|git-lfs\\.github\\.com(?:/|%2[Ff])spec(?:/|%2[Ff])v1.{1,40}?[0-9a-f]{64}`,
  'gs',
);
/** Longest that is found, in characters. */
const MAX_INCLUDED = 1500;
const OID = /[0-9a-f]{64}/;

/**
 * Requires that nothing that a build publishes is a pointer of Git LFS in place of a file, also one that a bundler has
 * written into another file.
 *
 * @throws StepError with their names
 */
export async function requireFetchedFiles(
  { run, source }: BuildProject,
  files: readonly BuiltFile[],
): Promise<void> {
  const { pointers, advice } = source.unfetched;
  const pathOf = new Map(pointers.map(({ oid, path }) => [oid, path]));
  const found = new Set<string>();
  for (const { path } of files) {
    for (const name of await findPointers(path, pathOf, run.signal)) found.add(name);
  }
  if (found.size === 0) return;
  throw new StepError(
    'output',
    `The build has made pointers of Git LFS in place of files, ${namePaths([...found].toSorted())}: ${advice}.`,
  );
}

/** @param pathOf the pointers of the source by their SHA-256: only they can have been written into other files */
async function findPointers(
  path: string,
  pathOf: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<string[]> {
  const found: string[] = [];
  // What cannot be read as a zip is for the API to refuse: it reads every file.
  const zip = await openPromise(path, { autoClose: false, decodeStrings: false }).catch(() => null);
  if (zip === null) return [];
  try {
    for await (const entry of zip.eachEntry()) {
      signal.throwIfAborted();
      const name = readZipName(entry).path;
      if (isPointerSize(entry)) {
        if (parsePointer(await buffer(await zip.openReadStreamPromise(entry))) !== null) found.push(name);
      } else if (pathOf.size > 0 && MAY_INCLUDE.test(name)) {
        const included = [...(await oidsIn(zip, entry))].map((oid) => pathOf.get(oid));
        found.push(...included.flatMap((source) => (source === undefined ? [] : [`${source} (in ${name})`])));
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
  } finally {
    zip.close();
  }
  return found;
}

function isPointerSize({ uncompressedSize }: Entry): boolean {
  return uncompressedSize >= MIN_POINTER_BYTES && uncompressedSize <= MAX_POINTER_BYTES;
}

/** The SHA-256 of the files whose pointers are in a text. */
async function oidsIn(zip: ZipFile, entry: Entry): Promise<Set<string>> {
  const oids = new Set<string>();
  let rest = '';
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    const text = rest + (chunk as Buffer).toString('latin1');
    for (const [match] of text.matchAll(INCLUDED)) {
      const plain = match.startsWith(ENCODED_START) ? Buffer.from(match, 'base64').toString('latin1') : match;
      const [oid] = OID.exec(plain) ?? [];
      if (oid !== undefined) oids.add(oid);
    }
    rest = text.slice(-MAX_INCLUDED);
  }
  return oids;
}
