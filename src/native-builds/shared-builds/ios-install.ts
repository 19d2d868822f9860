import type { ArtifactDetails } from '../artifact-details/artifact-details.entity.js';

/** Longest name and version in a manifest, in characters. */
export const MAX_TITLE = 255;
export const MAX_VERSION = 100;

/** Control characters, and what XML cannot hold. */
const CONTROLS = /[\p{Cc}\ufffe\uffff]/gu;

export function hasControls(text: string): boolean {
  return text.search(CONTROLS) >= 0;
}

/**
 * Whether devices install an ipa from a web page: `here`, or why not. `store`: its profile is for the App Store. `unsigned`: it
 * has no profile. `elsewhere`: it is for another kind of device than iPhones and iPads. `unread`: nothing is known of it.
 */
export type Installability = 'here' | 'store' | 'expired' | 'unsigned' | 'elsewhere' | 'unread';

/** Whether devices install an ipa now. @param details what it says about itself; `null`: it was not read */
export function installabilityOf(details: ArtifactDetails | null, now: Date): Installability {
  if (details === null) return 'unread';
  const { applePlatform, signer } = details;
  if (applePlatform !== null && applePlatform !== 'ios') return 'elsewhere';
  if (signer === null) return 'unsigned';
  if (signer.profileType === 'app-store') return 'store';
  return signer.expiresAt !== null && new Date(signer.expiresAt) <= now ? 'expired' : 'here';
}

/**
 * The address that installs an ipa on the device that opens it, as described in Apple Platform Deployment, "Distribute
 * proprietary in-house apps to Apple devices".
 *
 * @param ipa path and query of the file; it must be signed for a short time
 * @param origin of this server
 * @param appName for an ipa that has no name
 */
export function installAddressOf(
  ipa: string,
  origin: string,
  details: ArtifactDetails,
  appName: string,
): string {
  const manifest = new URL('/v1/ios-manifest-plist', origin);
  manifest.searchParams.set('url', new URL(ipa, origin).href);
  manifest.searchParams.set('displayName', plain(details.label ?? appName, MAX_TITLE) || 'App');
  manifest.searchParams.set('packageName', details.packageName);
  const version = details.versionName ?? details.versionCode ?? '';
  manifest.searchParams.set('packageVersion', plain(version, MAX_VERSION) || '1');
  return `itms-services://?action=download-manifest&url=${encodeURIComponent(manifest.href)}`;
}

function plain(text: string, maximum: number): string {
  return text.replaceAll(CONTROLS, ' ').slice(0, maximum).toWellFormed().trim();
}
