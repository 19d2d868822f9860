import type { ApplePlatform } from '../../../../common/apple-platforms.js';
import type { AppleMessage, BetaGroup } from '../../api/responses/apple-resources.js';

/** Groups that a message names; it says how many more there are. */
const MAX_NAMES = 5;

/** The page of a build in App Store Connect. */
export function pageOf(appleAppId: string, platform: ApplePlatform | null, buildUploadId?: string): string {
  const parts = ['apps', appleAppId, 'testflight', platform ?? 'ios', ...(buildUploadId ?? '').split('/', 1)];
  const path = parts.filter((part) => part !== '').map(encodeURIComponent);
  return `https://appstoreconnect.apple.com/${path.join('/')}`;
}

/** What came of a submission. @param reviewState of Apple's beta review; absent: the build needs none */
export function doneMessage(groups: readonly BetaGroup[], reviewState: string | undefined): string {
  if (groups.length === 0) {
    return 'The build is in TestFlight. The destination names no groups, so only groups with access to all builds have it.';
  }
  const names = groups.slice(0, MAX_NAMES).map(({ name }) => name.slice(0, 30));
  const more = groups.length - names.length;
  const list = [names.join(', '), ...(more > 0 ? [`${more} more`] : [])].join(' and ');
  const where = `The build is in TestFlight for ${groups.length === 1 ? 'the group' : 'the groups'} ${list}.`;
  if (reviewState === undefined) return where;
  if (reviewState === 'APPROVED') return `${where} Apple's beta review has approved it.`;
  return `${where} External testers get it after Apple's beta review.`;
}

/** What Apple says about an upload, in one line. */
export function lineOf({ code, description }: AppleMessage): string {
  return [code, description].filter((part) => part !== null && part !== '').join(': ') || 'no words';
}
