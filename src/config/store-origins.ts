import type { StoreConfig } from './groups/store-config.js';

/** The configured addresses of stores, which an operator trusts: scheme, host and port. */
export function storeOriginsOf({
  appStoreConnectUrl,
  googlePlayUrl,
  googleTokenUrl,
}: StoreConfig): ReadonlySet<string> {
  return new Set([appStoreConnectUrl, googlePlayUrl, googleTokenUrl].map((url) => new URL(url).origin));
}
