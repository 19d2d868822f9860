import { hash, verify } from 'node:crypto';
import { v4 as uuid } from 'uuid';
import { testEnvironment } from '../../setup/test-environment.js';
import { unzip } from '../live-updates/archives.js';
import { MANIFEST } from '../live-updates/uploads.js';
import { type Absent, buildFolder, type BundleFolder, type ManifestItem, rootOf } from './bundle-folder.js';
import type { RawResponse } from './raw-get.js';

/** What an app has configured, and what its device is. */
export interface DeviceSettings {
  readonly appId: string;
  /** The server that it asks; absent: the shared one. */
  readonly origin?: string;
  /** Empty when the system gives none. */
  readonly deviceId?: string;
  readonly channelName?: string;
  readonly customId?: string;
  readonly appVersionCode?: string;
  readonly appVersionName?: string;
  readonly osVersion?: string;
  readonly pluginVersion?: string;
  /** The Cordova plugin says so; Capacitor says nothing. */
  readonly runtime?: 'cordova';
  /** The files that the app was installed with, by path. */
  readonly builtIn?: Readonly<Record<string, Buffer>>;
  /** PEM; with it, every download must be signed. */
  readonly publicKey?: string;
}

/** What the plugin reads of the answer to its check. */
export interface Update {
  readonly artifactType: 'zip' | 'manifest';
  readonly bundleId: string;
  readonly url: string;
  readonly checksum: string | null;
  readonly signature: string | null;
}

/** What the update check returns to the app, and what was downloaded for it. */
export interface Sync {
  /** The bundle that the device was offered; `null`: there is no update. */
  readonly bundleId: string | null;
  /** Paths of the downloaded files, `null` for a zip. */
  readonly downloads: readonly (string | null)[];
  /** Bytes of all of them. */
  readonly bytes: number;
  /** Hosts that downloads were redirected to. */
  readonly redirectedTo: readonly string[];
}

/** What all plugins have in common: how they choose, verify and keep bundles. */
export abstract class Device {
  /** The bundle that it runs; `null`: the one that came with the app. */
  bundleId: string | null = null;
  readonly deviceId: string;
  protected readonly origin: string;
  /** The folder of that bundle. */
  private folder: BundleFolder;
  private readonly builtIn: BundleFolder;
  /** The last bundle that called `ready()`; `null`: only the one that came with the app did. */
  protected lastReady: { readonly bundleId: string; readonly folder: BundleFolder } | null = null;

  constructor(protected readonly settings: DeviceSettings) {
    this.deviceId = settings.deviceId ?? uuid();
    this.origin = settings.origin ?? testEnvironment().origin;
    this.builtIn = new Map(Object.entries(settings.builtIn ?? {}));
    this.folder = this.builtIn;
  }

  /** The files of the bundle that it runs, without the manifest. */
  get files(): ReadonlyMap<string, Buffer> {
    return new Map([...this.folder].filter(([href]) => href !== MANIFEST));
  }

  /** Sends the update check. */
  check(): Promise<RawResponse> {
    return this.get(this.origin, `/v1/apps/${this.settings.appId}/bundles/latest?${this.checkQuery()}`);
  }

  /** Checks and, when the offered bundle is another one, downloads, verifies and runs it. */
  async sync(): Promise<Sync> {
    const { status, body } = await this.check();
    const update = status >= 200 && status < 300 ? this.decodeUpdate(body) : null;
    return update === null
      ? { bundleId: null, downloads: [], bytes: 0, redirectedTo: [] }
      : this.install(update);
  }

  /** Downloads, verifies and runs a bundle, unless it runs already. */
  async install(update: Update): Promise<Sync> {
    const downloads: (string | null)[] = [];
    let bytes = 0;
    const redirectedTo: string[] = [];
    const download = async (href: string | null): Promise<Buffer> => {
      const { body: content, redirectedTo: target } = await this.download(update, href);
      if (target !== undefined) redirectedTo.push(target.host);
      downloads.push(href);
      bytes += content.length;
      return content;
    };
    if (update.bundleId !== this.bundleId) {
      const folder =
        update.artifactType === 'zip'
          ? unzip(await download(null))
          : await buildFolder(
              this.folder,
              await download(MANIFEST),
              (bytes) => this.decodeManifest(bytes),
              this.absent,
              download,
            );
      const root = rootOf(folder);
      if (root === null) throw new Error('The bundle does not contain an index.html file.');
      this.folder = root;
      this.bundleId = update.bundleId;
    }
    return { bundleId: update.bundleId, downloads, bytes, redirectedTo };
  }

  /** For messages. */
  describe(): string {
    const { pluginVersion = 'newest', runtime = 'no runtime', publicKey } = this.settings;
    return `${this.constructor.name} ${pluginVersion} (${runtime}, ${publicKey ? 'with' : 'without'} a key)`;
  }

  /** The bundle that runs calls `ready()`. */
  ready(): void {
    this.lastReady = this.bundleId === null ? null : { bundleId: this.bundleId, folder: this.folder };
  }

  /** The bundle that runs did not call `ready()` in time. */
  rollBack(): void {
    this.run(null);
  }

  /** @param bundle `null`: the one that came with the app */
  protected run(bundle: { readonly bundleId: string; readonly folder: BundleFolder } | null): void {
    this.bundleId = bundle?.bundleId ?? null;
    this.folder = bundle?.folder ?? this.builtIn;
  }

  /** Asks which channels there are. */
  fetchChannels(query = ''): Promise<RawResponse> {
    return this.get(this.origin, `/v1/apps/${this.settings.appId}/channels${query}`);
  }

  /** The query of the check, byte by byte. */
  protected abstract checkQuery(): string;
  /** Sends a request with the headers of the platform. */
  protected abstract get(origin: string, target: string): Promise<RawResponse>;
  /** Downloads without these headers on platforms that do not send them here. */
  protected getFile(origin: string, target: string): Promise<RawResponse> {
    return this.get(origin, target);
  }
  /** Adds the path of a file to the address of a bundle. */
  protected abstract withHref(target: string, href: string): string;
  /** @returns `null` when the plugin takes the answer for "no update" */
  protected abstract decodeUpdate(body: Buffer): Update | null;
  /** Reads the manifest as strictly as the platform does. */
  protected decodeManifest(body: Buffer): ManifestItem[] {
    return JSON.parse(body.toString()) as ManifestItem[];
  }

  private get absent(): Absent {
    if (this.isSince(7, 2, 2) || this.settings.runtime === 'cordova') return 'download';
    return this.skipsWhatItCannotCopy ? 'skip' : 'fail';
  }

  /** Whether it is of a version of the Capacitor plugin, or a later one. */
  protected isSince(...version: readonly number[]): boolean {
    const own = (this.settings.pluginVersion ?? '8.4.3').split('.').map(Number);
    const difference = version.map((part, index) => (own[index] ?? 0) - part).find((each) => each !== 0);
    return (difference ?? 0) >= 0;
  }

  /** The header of requests that says which device it is, if the version sends one. */
  protected get deviceIdHeader(): Readonly<Record<string, string>> {
    if (this.settings.runtime === 'cordova' || this.isSince(8, 2, 0)) {
      return { 'X-Capawesome-Device-Id': this.deviceId };
    }
    return this.isSince(7, 5, 0) && !this.isSince(8, 0, 0) ? { 'X-Device-Id': this.deviceId } : {};
  }

  /** Whether checksum and signature in the answer to the check are read. */
  protected get readsIntegrity(): boolean {
    return this.settings.runtime === 'cordova' || this.isSince(7, 1, 0);
  }

  /** Whether the body of an error is taken for the file. */
  protected get savesErrors(): boolean {
    return false;
  }

  /** Whether the names of headers are compared in exact case. */
  protected get readsExactHeaderNames(): boolean {
    return false;
  }

  /** Whether a download without any byte is an error. */
  protected get failsOnEmptyFiles(): boolean {
    return false;
  }

  /** Before 7.2.2, instead of ending with an error. */
  protected get skipsWhatItCannotCopy(): boolean {
    return false;
  }

  private async download(update: Update, href: string | null): Promise<RawResponse> {
    const { origin } = new URL(update.url);
    const target = update.url.slice(origin.length);
    const response = await this.getFile(origin, href === null ? target : this.withHref(target, href));
    if ((response.status < 200 || response.status > 299) && !this.savesErrors) {
      throw new Error(`Download of ${href ?? 'the zip'} failed with ${response.status}.`);
    }
    if (href !== null && response.body.length === 0 && this.failsOnEmptyFiles) {
      throw new Error(`${href} is empty.`);
    }
    this.verify(response, update);
    return response;
  }

  /** With a public key only the signature counts, without one only the checksum. */
  private verify({ headers, headerNames, body }: RawResponse, update: Update): void {
    const { publicKey } = this.settings;
    const header = (name: string) =>
      this.readsExactHeaderNames && !headerNames.has(name) ? undefined : headers[name];
    if (publicKey !== undefined) {
      const signature = update.signature ?? header('x-signature');
      if (typeof signature !== 'string') throw new Error('Bundle does not contain a signature.');
      if (!verify('sha256', body, publicKey, Buffer.from(signature, 'base64'))) {
        throw new Error('Signature verification failed.');
      }
      return;
    }
    const checksum = update.checksum ?? header('x-checksum');
    if (checksum !== undefined && checksum !== hash('sha256', body, 'hex')) {
      throw new Error('Checksum mismatch.');
    }
  }
}

/** A field that is a text, or absent. */
export function optionalText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
