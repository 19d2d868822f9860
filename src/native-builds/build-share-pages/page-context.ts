import type { DeviceVerdict } from '../shared-builds/device-checks.service.js';

/** What a visitor has: an iPhone or iPad; a Mac or an iPad, which looks the same; or something else. */
export type VisitorDevice = 'ios' | 'mac-or-ipad' | 'other';

/** What the page knows of a device that was led to it with its UDID. `none`: there was none. */
export type DeviceCheck = { readonly result: 'none' | 'invalid' } | DeviceVerdict;

/** Where the page of a share is shown. */
export interface PageContext {
  /** Address of the page. */
  readonly url: string;
  readonly device: VisitorDevice;
  readonly now: Date;
  /** Of the device that opens it. */
  readonly check: DeviceCheck;
}

/** By what the browser says: Safari on an iPad says that it is on a Macintosh, unless websites for phones are asked for. */
export function deviceOf(userAgent: string | null): VisitorDevice {
  if (/\b(iPhone|iPad|iPod)\b/.test(userAgent ?? '')) return 'ios';
  return /\bMacintosh\b/.test(userAgent ?? '') ? 'mac-or-ipad' : 'other';
}

/** A `Referrer-Policy` for pages with forms, which need the origin, and with a UDID in their address. */
export const ORIGIN_ONLY = 'strict-origin';
