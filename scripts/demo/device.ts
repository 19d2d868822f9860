import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { MANIFEST, type ManifestEntry, sha256 } from './web-app.ts';

/** The answer to an update check. */
export interface Update {
  readonly artifactType: 'zip' | 'manifest';
  readonly bundleId: string;
  readonly channelName: string;
  readonly checksum?: string;
  readonly url: string;
}

/** What an installation took. */
export interface Installation {
  /** Requests for files. */
  readonly downloads: readonly string[];
  /** Bytes that came over the network. */
  readonly receivedBytes: number;
  /** Bytes that the device had already. */
  readonly reusedBytes: number;
}

/** An Android phone with the live-update plugin, as far as the server can see. It has no token. */
export class Device {
  readonly id = randomUUID();
  private readonly checkUrl: string;
  private bundleId: string | null = null;
  /** The files of the running bundle by checksum; a zip leaves none, because it has no manifest. */
  private files: ReadonlyMap<string, Buffer> = new Map();

  constructor(origin: string, appId: string, channelName: string) {
    const query = new URLSearchParams({
      appVersionCode: '10',
      appVersionName: '1.0.0',
      channelName,
      deviceId: this.id,
      osVersion: '34',
      platform: '0',
      pluginVersion: '8.4.3',
    });
    this.checkUrl = `${origin}/v1/apps/${appId}/bundles/latest?${query}`;
  }

  /** Asks for its bundle. @returns `null` when there is none */
  async check(): Promise<Update | null> {
    const response = await fetch(this.checkUrl);
    const body: unknown = await response.json();
    if (response.status === 404) return null;
    assert.equal(response.status, 200, `the update check answers 200: ${JSON.stringify(body)}`);
    return body as Update;
  }

  /** Whether it runs the bundle already. */
  runs(update: Update): boolean {
    return update.bundleId === this.bundleId;
  }

  /** Downloads what it lacks, verifies every file, and runs the bundle from then on. */
  async install(update: Update): Promise<Installation> {
    const installation = await (update.artifactType === 'zip'
      ? this.installZip(update)
      : this.installManifest(update));
    this.bundleId = update.bundleId;
    return installation;
  }

  private async installZip({ url, checksum }: Update): Promise<Installation> {
    const bytes = await download(url);
    assert.equal(sha256(bytes), checksum, 'the zip has the checksum of the update check');
    this.files = new Map();
    return { downloads: ['zip'], receivedBytes: bytes.length, reusedBytes: 0 };
  }

  private async installManifest({ url }: Update): Promise<Installation> {
    const manifest = await download(`${url}?href=${MANIFEST}`);
    const entries = JSON.parse(manifest.toString()) as ManifestEntry[];
    const missing = entries.filter(({ checksum }) => !this.files.has(checksum));
    const received = await Promise.all(
      missing.map(async ({ href, checksum, sizeInBytes }) => {
        const bytes = await download(`${url}?href=${encodeURIComponent(href)}`);
        assert.equal(sha256(`${sha256(bytes)}\n${href}`), checksum, `${href} is the file of the manifest`);
        assert.equal(bytes.length, sizeInBytes, `${href} has the size of the manifest`);
        return [checksum, bytes] as const;
      }),
    );
    const known = new Map([...this.files, ...received]);
    this.files = new Map(entries.map(({ checksum }) => [checksum, known.get(checksum) ?? Buffer.alloc(0)]));
    const total = entries.reduce((sum, { sizeInBytes }) => sum + sizeInBytes, 0);
    const receivedFiles = received.reduce((sum, [, bytes]) => sum + bytes.length, 0);
    return {
      downloads: [MANIFEST, ...missing.map(({ href }) => href)],
      receivedBytes: manifest.length + receivedFiles,
      reusedBytes: total - receivedFiles,
    };
  }
}

async function download(url: string): Promise<Buffer> {
  const response = await fetch(url);
  assert.equal(response.status, 200, `${url} answers 200`);
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal(sha256(bytes), response.headers.get('X-Checksum'), `${url} has the checksum of its header`);
  // The length of a compressed response is that of the compressed bytes.
  if (!response.headers.has('Content-Encoding')) {
    assert.equal(
      String(bytes.length),
      response.headers.get('Content-Length'),
      `${url} has the right Content-Length`,
    );
  }
  return bytes;
}
