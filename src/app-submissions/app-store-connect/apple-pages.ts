import type { ApplePlatform } from '../../common/apple-platforms.js';

/** Pages where the user acts. */
export const APP_STORE_CONNECT = 'https://appstoreconnect.apple.com';
export const CONNECT_APPS = 'https://appstoreconnect.apple.com/apps';
export const CONNECT_KEYS = 'https://appstoreconnect.apple.com/access/integrations/api';
export const CONNECT_AGREEMENTS = 'https://appstoreconnect.apple.com/business';
export const APPLE_ACCOUNT = 'https://developer.apple.com/account';
export const XCODE_RELEASES = 'https://developer.apple.com/news/upcoming-requirements/';

/** The page of a build in App Store Connect. */
export function pageOf(appleAppId: string, platform: ApplePlatform | null, buildUploadId?: string): string {
  const parts = ['apps', appleAppId, 'testflight', platform ?? 'ios', ...(buildUploadId ?? '').split('/', 1)];
  const path = parts.filter((part) => part !== '').map(encodeURIComponent);
  return `https://appstoreconnect.apple.com/${path.join('/')}`;
}

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
