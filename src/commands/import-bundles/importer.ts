import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type ApiClient, type ApiRequest, readJson } from '../../runner/api/api-client.js';
import { RefusedError } from '../../runner/api/api-errors.js';
import type { ImportItem } from './items.js';
import type { Journal } from './journal.js';
import { download, openZip, type ZipFile } from './zip-file.js';

/** Larger zips are sent in parts of this size, in bytes. */
const PART = 10 * 1024 * 1024;

/** How long a request is repeated while the server is away, and how long one try may take, in milliseconds. */
const PATIENCE = 10_000;
const TRY = 300_000;

/** How to import. */
export interface ImportOptions {
  readonly appId: string;
  /** For bundles that name no channel; `null`: the app's default channel. */
  readonly channel: string | null;
  /** Creates channels that the app does not have. */
  readonly createChannels: boolean;
  /** Reads and checks everything, and sends nothing. */
  readonly dryRun: boolean;
}

/** What became of an item. */
export interface ImportResult {
  readonly outcome: 'imported' | 'imported before' | 'would be imported';
  /** What the publication warned of, as sentences. An earlier one is not asked again. */
  readonly warnings: readonly string[];
}

/** Uploads and publishes zips, one after the other, so that their order is that of the deployments. */
export class Importer {
  private readonly channels = new Set<string>();

  constructor(
    private readonly api: ApiClient,
    private readonly journal: Journal,
    private readonly options: ImportOptions,
  ) {}

  /** @throws Error with a sentence for people; the item can be imported again then */
  async import(item: ImportItem): Promise<ImportResult> {
    if (!/^https?:\/\//.test(item.location)) return this.publish(item, await openZip(item.location));
    const folder = await mkdtemp(join(tmpdir(), 'slipway-import-'));
    try {
      const path = join(folder, 'bundle.zip');
      await download(item.location, path);
      return await this.publish(item, await openZip(path));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async publish(item: ImportItem, zip: ZipFile): Promise<ImportResult> {
    const { appId, channel, dryRun } = this.options;
    const { signature, bundleId: _known, ...values } = item.values;
    const body = { channelName: channel, ...values, artifactType: 'zip' };
    const fingerprint = createHash('sha256')
      .update(JSON.stringify([appId, item.name, zip.sha256, body]))
      .digest('hex');
    if (this.journal.has(fingerprint)) return { outcome: 'imported before', warnings: [] };
    if (dryRun) return { outcome: 'would be imported', warnings: [] };
    await this.ensureChannel(body.channelName);
    const app = `/v1/apps/${encodeURIComponent(appId)}`;
    // A run that was killed continues with the bundle that it had begun.
    const { id } = await this.send<{ id: string }>({
      method: 'POST',
      path: `${app}/bundles`,
      json: body,
      headers: { 'Idempotency-Key': fingerprint },
    });
    const result = await this.fill(`${app}/bundles/${id}`, basename(item.location), zip, signature);
    await this.journal.add({ fingerprint, name: item.name, bundleId: id });
    return result;
  }

  private async fill(bundle: string, name: string, zip: ZipFile, signature: unknown): Promise<ImportResult> {
    try {
      const fileId = await this.upload(bundle, name, zip, signature);
      const { warnings = [] } = await this.send<{ warnings?: { message: string }[] }>({
        method: 'PATCH',
        path: bundle,
        json: { artifactStatus: 'ready', appBundleFileId: fileId },
      });
      return { outcome: 'imported', warnings: warnings.map(({ message }) => message) };
    } catch (error) {
      // The run was killed after that.
      if (error instanceof RefusedError && error.code === 'bundle_published')
        return { outcome: 'imported before', warnings: [] };
      throw error;
    }
  }

  private async ensureChannel(name: unknown): Promise<void> {
    if (!this.options.createChannels || typeof name !== 'string' || this.channels.has(name)) return;
    try {
      const path = `/v1/apps/${encodeURIComponent(this.options.appId)}/channels`;
      await this.send({ method: 'POST', path, json: { name } });
    } catch (error) {
      if (!(error instanceof RefusedError) || error.code !== 'channel_name_taken') throw error;
    }
    this.channels.add(name);
  }

  private async upload(bundle: string, name: string, zip: ZipFile, signature: unknown): Promise<string> {
    const form = new FormData();
    form.set('name', /\.zip$/i.test(name) ? name : 'bundle.zip');
    form.set('mimeType', 'application/zip');
    form.set('sizeInBytes', String(zip.sizeInBytes));
    form.set('checksum', zip.sha256);
    if (typeof signature === 'string') form.set('signature', signature);
    if (zip.sizeInBytes <= PART) form.set('file', zip.content, 'bundle.zip');
    const { id } = await this.send<{ id: string }>({ method: 'POST', path: `${bundle}/files`, body: form });
    if (zip.sizeInBytes > PART) await this.uploadParts(`${bundle}/files/${id}/upload`, zip);
    return id;
  }

  private async uploadParts(path: string, zip: ZipFile): Promise<void> {
    const { uploadId } = await this.send<{ uploadId: string }>({
      method: 'POST',
      path: `${path}?action=mpu-create`,
      json: {},
    });
    const parts: object[] = [];
    for (let start = 0; start < zip.sizeInBytes; start += PART) {
      const form = new FormData();
      form.set('blob', zip.content.slice(start, start + PART), 'blob');
      form.set('partNumber', String(parts.length + 1));
      const query = `action=mpu-uploadpart&uploadId=${uploadId}`;
      parts.push(await this.send<object>({ method: 'PUT', path: `${path}?${query}`, body: form }));
    }
    const query = `action=mpu-complete&uploadId=${uploadId}`;
    await this.send({ method: 'POST', path: `${path}?${query}`, json: { parts } });
  }

  private send<T>(request: ApiRequest): Promise<T> {
    return this.api.send({ patience: PATIENCE, tryFor: TRY, ...request }, readJson<T>);
  }
}
