import { Agent, get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { MANIFEST, sha256 } from './publisher.ts';

/** Content codings that clients accept. */
export const codings = ['br', 'gzip', 'identity'] as const;
export type Coding = (typeof codings)[number];

/** What came over the network. */
export interface Transfer {
  readonly requests: number;
  /** Bytes of the bodies, as they are on the wire. */
  readonly bytes: number;
  /** The same with the heads of the responses in HTTP/1.1. */
  readonly 'bytes with heads': number;
}

interface Entry {
  readonly href: string;
  readonly checksum: string;
}

/** One response. */
interface Received {
  readonly status: number;
  readonly isFinal: boolean;
  readonly body: Buffer;
  readonly bytes: number;
  readonly headBytes: number;
}

/** How long the background work after a publication may take, in milliseconds. */
const PATIENCE = 60_000;
/** The same for the zip, once the variants are made. */
const ZIP_PATIENCE = 10_000;

/** Fetches several files at once, over connections that stay, as devices do. */
const agent = new Agent({ keepAlive: true, maxSockets: 30 });

/** Downloads the zip. */
export async function fetchZip(bundle: string): Promise<Transfer> {
  return sumOf([await request(`${bundle}/download`)]);
}

/** Downloads the zip that Slipway makes of a manifest bundle. @returns `null` when it makes none */
export async function fetchGeneratedZip(bundle: string): Promise<Transfer | null> {
  for (const end = Date.now() + ZIP_PATIENCE; Date.now() < end; await sleep(100)) {
    const zip = await receive(`${bundle}/download/zip`, 'identity');
    if (zip.status === 200) return sumOf([zip]);
  }
  return null;
}

/**
 * Downloads the manifest and the files whose checksums are not known, verifying each.
 *
 * @param known a bundle that the device has
 */
export async function fetchFiles(bundle: string, coding: Coding, known?: string): Promise<Transfer> {
  const manifest = await request(fileOf(bundle, MANIFEST), coding);
  const current = known === undefined ? [] : entriesOf((await request(fileOf(known, MANIFEST))).body);
  const knownChecksums = new Set(current.map(({ checksum }) => checksum));
  const missing = entriesOf(manifest.body).filter(({ checksum }) => !knownChecksums.has(checksum));
  const files = missing.map(async ({ href, checksum }) => {
    const file = await request(fileOf(bundle, href), coding);
    if (sha256(`${sha256(file.body)}\n${href}`) !== checksum)
      throw new Error(`${href} is not what the manifest says.`);
    return file;
  });
  return sumOf([manifest, ...(await Promise.all(files))]);
}

/** Downloads the archive between two bundles. */
export async function fetchDelta(bundle: string, known: string): Promise<Transfer> {
  return sumOf([await request(`${bundle}/delta?from=${known.split('/').at(-1)}`)]);
}

/** Waits until no variant of a file of the bundle is still to be made. */
export async function awaitVariants(bundle: string): Promise<void> {
  const end = Date.now() + PATIENCE;
  const hrefs = entriesOf((await request(fileOf(bundle, MANIFEST))).body).map(({ href }) => href);
  for (const href of [MANIFEST, ...hrefs]) {
    for (const coding of codings) {
      while (!(await request(fileOf(bundle, href), coding)).isFinal) {
        if (Date.now() > end) throw new Error(`The variants of ${href} are not made.`);
        await sleep(50);
      }
    }
  }
}

const fileOf = (bundle: string, href: string): string =>
  `${bundle}/download/named?href=${encodeURIComponent(href)}`;

const entriesOf = (manifest: Buffer): Entry[] => JSON.parse(manifest.toString()) as Entry[];

function sumOf(responses: readonly Received[]): Transfer {
  const bytes = responses.reduce((sum, response) => sum + response.bytes, 0);
  const headBytes = responses.reduce((sum, response) => sum + response.headBytes, 0);
  return { requests: responses.length, bytes, 'bytes with heads': bytes + headBytes };
}

async function request(url: string, coding: Coding = 'identity'): Promise<Received> {
  const received = await receive(url, coding);
  if (received.status !== 200) throw new Error(`${url}: ${received.status} ${received.body.toString()}`);
  return received;
}

async function receive(url: string, coding: Coding): Promise<Received> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { 'Accept-Encoding': coding } }, (response) => {
      buffer(response).then((bytes) => {
        const { statusCode: status = 0, headers } = response;
        const isFinal = headers['cache-control']?.includes('immutable') === true;
        const body = decode(bytes, headers['content-encoding']);
        resolve({ status, isFinal, body, bytes: bytes.length, headBytes: headBytesOf(response) });
      }, reject);
    }).on('error', reject);
  });
}

function decode(bytes: Buffer, coding: string | undefined): Buffer {
  if (coding === 'br') return brotliDecompressSync(bytes);
  return coding === 'gzip' ? gunzipSync(bytes) : bytes;
}

/** The status line, each header in a line with a colon and a space, and an empty line. */
function headBytesOf({ rawHeaders, statusCode, statusMessage }: IncomingMessage): number {
  const line = `HTTP/1.1 ${statusCode} ${statusMessage}\r\n`;
  return rawHeaders.reduce((sum, text) => sum + text.length + 2, line.length + 2);
}
