import { Device, optionalText, type Update } from './device.js';
import { rawGetFollowing, type RawResponse } from './raw-get.js';

/** The Android part of the Capacitor plugin, which speaks through OkHttp. */
export class AndroidDevice extends Device {
  /** Always in this order; what has no value is a bare key. */
  protected override checkQuery(): string {
    const { settings } = this;
    const parameters: [string, string | null][] = [
      ['appVersionCode', settings.appVersionCode ?? '10'],
      ['appVersionName', settings.appVersionName ?? '1.0.0'],
      ['bundleId', this.bundleId ?? this.builtInId],
      ['channelName', settings.channelName ?? null],
      ['customId', settings.customId ?? null],
      ['deviceId', this.deviceId],
      ['osVersion', settings.osVersion ?? '34'],
      ['platform', '0'],
      ['pluginVersion', settings.pluginVersion ?? '8.4.3'],
      ...(settings.runtime ? [['runtime', settings.runtime] as [string, string]] : []),
    ];
    return parameters
      .map(([name, value]) => (value === null ? name : `${name}=${encodeAndroid(value)}`))
      .join('&');
  }

  protected override get(origin: string, target: string): Promise<RawResponse> {
    return rawGetFollowing(origin, target, {
      ...this.deviceIdHeader,
      Connection: 'Keep-Alive',
      // OkHttp itself accepts only gzip. The plugin added Brotli.
      'Accept-Encoding': this.isSince(8, 4, 0) ? 'br, gzip' : 'gzip',
      'User-Agent': 'okhttp/4.12.0',
    });
  }

  /** Appends to whatever query the address has. */
  protected override withHref(target: string, href: string): string {
    return `${target}${target.includes('?') ? '&' : '?'}href=${encodeAndroid(href)}`;
  }

  /** An answer without what it needs is an error. */
  protected override decodeUpdate(body: Buffer): Update {
    const { artifactType, bundleId, url, checksum, signature } = JSON.parse(body.toString()) as Record<
      string,
      unknown
    >;
    if (typeof bundleId !== 'string' || typeof url !== 'string') throw new Error('The answer is not valid.');
    if (artifactType === 'manifest') return { artifactType, bundleId, url, checksum: null, signature: null };
    const read = this.readsTexts ? textOf : optionalText;
    return {
      artifactType: 'zip',
      bundleId,
      url,
      ...(this.readsIntegrity
        ? { checksum: read(checksum), signature: read(signature) }
        : { checksum: null, signature: null }),
    };
  }

  /** 6.x reports the folder of the built-in files. */
  private get builtInId(): string | null {
    return this.settings.runtime === 'cordova' || this.isSince(7, 0, 0) ? null : 'public';
  }

  /** In 6.7 and 6.8 too. */
  protected override get readsIntegrity(): boolean {
    return super.readsIntegrity || (this.isSince(6, 7, 0) && !this.isSince(7, 0, 0));
  }

  /** Whether what is missing in the answer counts as a text, which no checksum and no signature equals. */
  private get readsTexts(): boolean {
    return this.settings.runtime !== 'cordova' && this.readsIntegrity && !this.isSince(7, 4, 0);
  }
}

/** As `JSONObject.optString` of Android: an absent value is empty, and `null` a word. */
function textOf(value: unknown): string {
  return value === undefined ? '' : String(value);
}

/** As OkHttp's `addQueryParameter`: a space is `%20`, a plus `%2B`, a slash `%2F`. */
export function encodeAndroid(text: string): string {
  return encodeURIComponent(text).replace(/[!'()~]/g, percentEncoded);
}

const percentEncoded = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
