import { get, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { MANIFEST, sha256 } from './publisher.ts';

/** What came over the network. */
export interface Transfer {
  readonly requests: number;
  /** Bytes of the bodies, as they are on the wire. */
  readonly bytes: number;
}

interface Entry {
  readonly href: string;
  readonly checksum: string;
}

/** Downloads the zip. */
export async function fetchZip(bundle: string): Promise<Transfer> {
  return { requests: 1, bytes: (await request(`${bundle}/download`)).received };
}

/**
 * Downloads the manifest and the files whose checksums are not known, verifying each.
 *
 * @param known a bundle that the device has
 */
export async function fetchFiles(
  bundle: string,
  encoding: 'br' | 'identity',
  known?: string,
): Promise<Transfer> {
  const knownChecksums = new Set(
    known === undefined
      ? []
      : entriesOf((await request(fileOf(known, MANIFEST))).body).map((e) => e.checksum),
  );
  const manifest = await request(fileOf(bundle, MANIFEST), encoding);
  const missing = entriesOf(manifest.body).filter(({ checksum }) => !knownChecksums.has(checksum));
  let bytes = manifest.received;
  for (const { href, checksum } of missing) {
    const { body, received } = await request(fileOf(bundle, href), encoding);
    if (sha256(`${sha256(body)}\n${href}`) !== checksum)
      throw new Error(`${href} is not what the manifest says.`);
    bytes += received;
  }
  return { requests: 1 + missing.length, bytes };
}

/** Downloads the archive between two bundles. */
export async function fetchDelta(bundle: string, known: string): Promise<Transfer> {
  const { received } = await request(`${bundle}/delta?from=${known.split('/').at(-1)}`);
  return { requests: 1, bytes: received };
}

/** Waits until no variant of a file of the bundle is still to be made. */
export async function awaitVariants(bundle: string): Promise<void> {
  for (const { href } of entriesOf((await request(fileOf(bundle, MANIFEST))).body)) {
    const isPending = async (): Promise<boolean> => {
      const { headers } = await request(fileOf(bundle, href), 'br');
      return headers['cache-control']?.includes('immutable') !== true;
    };
    while (await isPending()) await sleep(50);
  }
}

const fileOf = (bundle: string, href: string): string =>
  `${bundle}/download/named?href=${encodeURIComponent(href)}`;

const entriesOf = (manifest: Buffer): Entry[] => JSON.parse(manifest.toString()) as Entry[];

async function request(
  url: string,
  encoding = 'identity',
): Promise<{ headers: IncomingHttpHeaders; body: Buffer; received: number }> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'Accept-Encoding': encoding } }, (response) => {
      buffer(response).then((bytes) => {
        const { statusCode, headers } = response;
        if (statusCode !== 200) return reject(new Error(`${url}: ${statusCode} ${bytes.toString()}`));
        const body = headers['content-encoding'] === 'br' ? brotliDecompressSync(bytes) : bytes;
        return resolve({ headers, body, received: bytes.length });
      }, reject);
    }).on('error', reject);
  });
}
