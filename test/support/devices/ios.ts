import type { ManifestItem } from './bundle-folder.js';
import { Device, optionalText, type Update } from './device.js';
import { rawGetFollowing, type RawResponse } from './raw-get.js';

/** The iOS part of the Capacitor plugin, which speaks through Alamofire and `URLComponents`. */
export class IosDevice extends Device {
  /** In the order of a dictionary: any. */
  protected override checkQuery(): string {
    const { settings } = this;
    const parameters: [string, string | null | undefined][] = [
      ['appVersionCode', settings.appVersionCode ?? '10'],
      ['appVersionName', settings.appVersionName ?? '1.0.0'],
      ['bundleId', this.bundleId],
      ['channelName', settings.channelName],
      ['customId', settings.customId],
      ['deviceId', this.deviceId],
      ['osVersion', settings.osVersion ?? '17.5'],
      ['platform', '1'],
      ['pluginVersion', settings.pluginVersion ?? '8.4.3'],
      ['runtime', settings.runtime],
    ];
    return shuffled(parameters)
      .flatMap(([name, value]) => (value == null ? [] : [`${name}=${encodeIos(value)}`]))
      .join('&');
  }

  protected override get(origin: string, target: string): Promise<RawResponse> {
    return rawGetFollowing(origin, target, {
      ...(this.deviceId === '' ? {} : this.deviceIdHeader),
      Accept: '*/*',
      'Accept-Encoding': 'br;q=1.0, gzip;q=0.9, deflate;q=0.8',
      'Accept-Language': 'de-DE;q=1.0',
      'User-Agent': 'Shop/1.0.0 (com.example.shop; build:10; iOS 17.5.0) Alamofire/5.10.2',
    });
  }

  /** Status codes are looked at since 8.4.0, in the Cordova plugin not yet. */
  protected override get savesErrors(): boolean {
    return this.settings.runtime === 'cordova' || !this.isSince(8, 4, 0);
  }

  /** It looked them up in a dictionary until 7.5.0. */
  protected override get readsExactHeaderNames(): boolean {
    return this.settings.runtime !== 'cordova' && !this.isSince(7, 5, 0);
  }

  /** Alamofire takes an empty body for an error, unless the plugin says otherwise, which it does since 7.2.2. */
  protected override get failsOnEmptyFiles(): boolean {
    return this.settings.runtime !== 'cordova' && this.isSince(6, 6, 0) && !this.isSince(7, 2, 2);
  }

  /** Of the bundle that came with the app only. */
  protected override get skipsWhatItCannotCopy(): boolean {
    return this.bundleId === null;
  }

  /** Replaces the whole query of the address. */
  protected override withHref(target: string, href: string): string {
    return `${target.split('?', 1)[0]}?href=${encodeIos(href)}`;
  }

  /** Every declared field must have its type, else there is no update. */
  protected override decodeUpdate(body: Buffer): Update | null {
    const { artifactType, bundleId, url, checksum, signature, channelName, customProperties } = JSON.parse(
      body.toString(),
    ) as Record<string, unknown>;
    if (artifactType !== 'zip' && artifactType !== 'manifest') return null;
    if (typeof bundleId !== 'string' || typeof url !== 'string') return null;
    if (![checksum, signature, channelName].every((value) => value == null || typeof value === 'string')) {
      return null;
    }
    if (!Object.values(customProperties ?? {}).every((value) => typeof value === 'string')) return null;
    return {
      artifactType,
      bundleId,
      url,
      ...(this.readsIntegrity
        ? { checksum: optionalText(checksum), signature: optionalText(signature) }
        : { checksum: null, signature: null }),
    };
  }

  /** All three fields of every entry are required. */
  protected override decodeManifest(body: Buffer): ManifestItem[] {
    const items = super.decodeManifest(body);
    for (const { checksum, href, sizeInBytes } of items) {
      const isDecodable =
        typeof checksum === 'string' && typeof href === 'string' && Number.isInteger(sizeInBytes);
      if (!isDecodable) throw new Error('The manifest is not valid.');
    }
    return items;
  }
}

/** As the query items of `URLComponents`: a space is `%20`, but a plus and a slash stay as they are. */
export function encodeIos(text: string): string {
  return encodeURIComponent(text).replace(/%(?:21|24|2B|2C|2F|3A|3F|40)/g, decodeURIComponent);
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => [Math.random(), value] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, value]) => value);
}
