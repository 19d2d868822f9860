/** What `npm run test:plugins` has prepared before it starts jest. */
export interface PreparedPlugins {
  /** The class path of each version of the plugin, newest first. */
  readonly classPaths: Readonly<Record<string, string>>;
  /** Names of the hosts that devices may ask. */
  readonly hosts: readonly string[];
  /** See `SuiteCertificate`. */
  readonly keyStore: string;
  readonly trustStore: string;
  readonly password: string;
}

export const prepared = JSON.parse(process.env['SLIPWAY_PLUGINS'] ?? '{"classPaths":{}}') as PreparedPlugins;

/** The versions under test, newest first. */
export const VERSIONS = Object.keys(prepared.classPaths);

/** The versions under test from one on. */
export function versionsSince(first: string): string[] {
  return VERSIONS.filter((version) => version.localeCompare(first, 'en', { numeric: true }) >= 0);
}
