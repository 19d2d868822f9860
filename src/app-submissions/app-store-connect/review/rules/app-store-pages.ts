import type { ApplePlatform } from '../../../../common/apple-platforms.js';

/** The page of a version in App Store Connect. @param isLive users have it; otherwise it is the next one */
export function versionPage(appleAppId: string, platform: ApplePlatform | null, isLive = false): string {
  const parts = [
    'apps',
    appleAppId,
    'distribution',
    platform ?? 'ios',
    'version',
    isLive ? 'deliverable' : 'inflight',
  ];
  return `https://appstoreconnect.apple.com/${parts.map(encodeURIComponent).join('/')}`;
}
