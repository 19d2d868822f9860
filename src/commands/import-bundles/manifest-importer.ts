import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MANIFEST_HREF } from '../../live-updates/bundle-content/href.js';
import { inspectZip } from '../../live-updates/bundle-zips/inspect-zip.js';
import { type ApiClient, readJson } from '../../runner/api/api-client.js';
import type { Journal } from './journal.js';
import type { ManifestItem } from './manifest-items.js';
import { download, isZip, openZip } from './zip-file.js';

/** How long the request is repeated while the server is away, in milliseconds. */
const PATIENCE = 10_000;

/** How to import. */
export interface ManifestImportOptions {
  readonly appId: string;
  /** Reads and checks everything, and sends nothing. */
  readonly dryRun: boolean;
}

/** Sends manifests that devices have from another server, so that signed bundles are compared with them. */
export class ManifestImporter {
  constructor(
    private readonly api: ApiClient,
    private readonly journal: Journal,
    private readonly options: ManifestImportOptions,
  ) {}

  /** @returns what became of it @throws Error with a sentence for people; the item can be imported again then */
  async import(item: ManifestItem): Promise<string> {
    if (!/^https?:\/\//.test(item.location)) return this.send(item, await manifestIn(item.location));
    const folder = await mkdtemp(join(tmpdir(), 'slipway-import-'));
    try {
      const path = join(folder, 'manifest');
      await download(item.location, path);
      return await this.send(item, await manifestIn(path));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async send({ name, bundleId }: ManifestItem, manifest: Buffer<ArrayBuffer>): Promise<string> {
    const { appId, dryRun } = this.options;
    const fingerprint = createHash('sha256')
      .update(JSON.stringify([appId, bundleId]))
      .update(manifest)
      .digest('hex');
    if (this.journal.has(fingerprint)) return 'imported before';
    if (dryRun) return 'would be imported';
    const form = new FormData();
    form.set('bundleId', bundleId);
    form.set('file', new Blob([manifest], { type: 'application/json' }), MANIFEST_HREF);
    const { unsafeBundleCount: unsafe } = await this.api.send(
      {
        method: 'POST',
        path: `/v1/apps/${encodeURIComponent(appId)}/imported-manifests`,
        body: form,
        patience: PATIENCE,
      },
      readJson<{ unsafeBundleCount: number }>,
    );
    await this.journal.add({ fingerprint, name, bundleId });
    return unsafe === 0 ? 'imported' : `imported, ${unsafe} published bundles are not offered to its devices`;
  }
}

/** The manifest that a file is, or that devices find in a zip: an empty one if there is none. */
async function manifestIn(path: string): Promise<Buffer<ArrayBuffer>> {
  if (!(await isZip(path))) return readFile(path);
  const { sizeInBytes } = await openZip(path);
  const { problems, manifest } = await inspectZip(
    ({ start, length }) => Promise.resolve(createReadStream(path, { start, end: start + length - 1 })),
    sizeInBytes,
  );
  if (problems.length > 0) throw new Error(`The zip is not valid: ${problems[0]}.`);
  return Buffer.from(JSON.stringify(manifest ?? []));
}
