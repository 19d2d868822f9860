import { Device, optionalText, type Update } from './device.js';
import type { RawResponse } from './raw-get.js';

/** The Electron SDK, which speaks through `fetch`. */
export class ElectronDevice extends Device {
  protected override checkQuery(): string {
    const { settings } = this;
    const parameters: [string, string | null | undefined][] = [
      ['appVersionCode', settings.appVersionCode ?? '1.2.3'],
      ['appVersionName', settings.appVersionName ?? '1.2.3'],
      ['bundleId', this.bundleId],
      ['channelName', settings.channelName],
      ['customId', settings.customId],
      ['deviceId', this.deviceId],
      ['osVersion', settings.osVersion ?? '14.4'],
      ['platform', '2'],
      ['pluginVersion', settings.pluginVersion ?? '0.2.0'],
      ['runtime', 'electron'],
    ];
    const query = new URLSearchParams();
    for (const [name, value] of parameters) if (value != null) query.append(name, value);
    return query.toString();
  }

  protected override get(origin: string, target: string): Promise<RawResponse> {
    return this.fetch(origin + target, { 'X-Capawesome-Device-Id': this.deviceId });
  }

  /** Downloads do not say which device it is. */
  protected override getFile(origin: string, target: string): Promise<RawResponse> {
    return this.fetch(origin + target);
  }

  protected override withHref(): string {
    throw new Error('Only zips are supported.');
  }

  /** To the last bundle that ran well. */
  override rollBack(): void {
    this.run(this.lastReady);
  }

  protected override decodeUpdate(body: Buffer): Update | null {
    const { artifactType, bundleId, url, checksum, signature } = JSON.parse(body.toString()) as Record<
      string,
      unknown
    >;
    if (artifactType !== undefined && artifactType !== 'zip') throw new Error('ArtifactTypeNotSupported');
    if (typeof bundleId !== 'string' || typeof url !== 'string') return null;
    return {
      artifactType: 'zip',
      bundleId,
      url,
      checksum: optionalText(checksum)?.toLowerCase() ?? null,
      signature: optionalText(signature),
    };
  }

  /** As always: fifty at once. */
  override fetchChannels(query = ''): Promise<RawResponse> {
    return super.fetchChannels(`?limit=50&offset=0${query}`);
  }

  private async fetch(url: string, headers: Record<string, string> = {}): Promise<RawResponse> {
    const response = await fetch(url, { headers });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      headerNames: new Set(response.headers.keys()),
      body: Buffer.from(await response.arrayBuffer()),
      ...(response.redirected ? { redirectedTo: new URL(response.url) } : {}),
    };
  }
}
