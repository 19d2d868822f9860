import type { SuiteCertificate } from '../../../scripts/plugins/certificate.js';
import { depth } from '../../setup/depth.js';

/** What `npm run test:plugins` has prepared before it starts jest. */
export interface PreparedPlugins extends SuiteCertificate {
  /** The class path of each version of the plugin, newest first. */
  readonly classPaths: Readonly<Record<string, string>>;
}

export const prepared = JSON.parse(process.env['SLIPWAY_PLUGINS'] ?? '{"classPaths":{}}') as PreparedPlugins;

/** The versions under test, newest first. */
export const ALL_VERSIONS = Object.keys(prepared.classPaths);

/** Those that take part in every story. */
export const VERSIONS = depth.pluginVersions(ALL_VERSIONS);

/** Those of them from one on. */
export function versionsSince(first: string): string[] {
  return VERSIONS.filter((version) => version.localeCompare(first, 'en', { numeric: true }) >= 0);
}
