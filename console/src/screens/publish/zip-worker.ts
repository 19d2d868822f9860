import { sha256 } from '@noble/hashes/sha2.js';
import { Zip, ZipDeflate } from 'fflate';
import type { ChosenFile } from './chosen-files';

/** What the page sends: a folder to zip, or a zip as it is. */
export type ZipOrder = { readonly files: readonly ChosenFile[] } | { readonly zip: File };

/** What it gets: how far it is, then the zip with its checksum, or what went wrong. */
export type ZipNews =
  | { readonly readBytes: number }
  | { readonly zip: Blob; readonly checksum: string }
  | { readonly error: string };

/** The same files give the same zip: their times say nothing about a release. */
const MODIFIED = new Date(1980, 0, 1);
/** As most tools compress. */
const LEVEL = 6;

/** Between two messages about how far it is, in milliseconds. */
const REPORT = 100;

const say = (news: ZipNews): void => postMessage(news);

/** Says how far it is, but not for each of thousands of files. */
function progress(): (bytes: number) => void {
  let [readBytes, saidAt] = [0, 0];
  return (bytes) => {
    readBytes += bytes;
    if (performance.now() - saidAt < REPORT) return;
    saidAt = performance.now();
    say({ readBytes });
  };
}

/*
 * Zips a folder and computes the SHA-256 of the zip, piece by piece. In plain script: pages over plain HTTP have no
 * `crypto.subtle`.
 */
onmessage = ({ data }: MessageEvent<ZipOrder>): void => {
  const work = 'zip' in data ? hashed(data.zip) : zipped(data.files);
  work.then(say, (error: unknown) => say({ error: error instanceof Error ? error.message : String(error) }));
};

async function hashed(zip: File): Promise<ZipNews> {
  const hash = sha256.create();
  const read = progress();
  for await (const piece of piecesOf(zip)) {
    hash.update(piece);
    read(piece.length);
  }
  return { zip, checksum: hexOf(hash.digest()) };
}

async function zipped(files: readonly ChosenFile[]): Promise<ZipNews> {
  const hash = sha256.create();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, piece) => {
    if (error) failure = error;
    else {
      hash.update(piece);
      pieces.push(piece as Uint8Array<ArrayBuffer>);
    }
  });
  const read = progress();
  for (const { path, file } of files) {
    const entry = new ZipDeflate(path, { level: LEVEL });
    entry.mtime = MODIFIED;
    zip.add(entry);
    for await (const piece of piecesOf(file)) {
      entry.push(piece);
      read(piece.length);
    }
    entry.push(new Uint8Array(0), true);
    if (failure !== null) throw failure;
  }
  zip.end();
  if (failure !== null) throw failure;
  return { zip: new Blob(pieces, { type: 'application/zip' }), checksum: hexOf(hash.digest()) };
}

async function* piecesOf(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
