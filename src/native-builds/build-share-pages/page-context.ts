/** What a visitor has: an iPhone or iPad; a Mac or an iPad, which looks the same; or something else. */
export type VisitorDevice = 'ios' | 'mac-or-ipad' | 'other';

/** Where the page of a share is shown. */
export interface PageContext {
  /** Address of the page. */
  readonly url: string;
  readonly device: VisitorDevice;
  readonly now: Date;
}

/** By what the browser says: Safari on an iPad says that it is on a Macintosh, unless websites for phones are asked for. */
export function deviceOf(userAgent: string | null): VisitorDevice {
  if (/\b(iPhone|iPad|iPod)\b/.test(userAgent ?? '')) return 'ios';
  return /\bMacintosh\b/.test(userAgent ?? '') ? 'mac-or-ipad' : 'other';
}
