import type { UsedBuildNumbers } from '../../common/build-numbers.js';
import { MAX_CONFIGURED_BUILD_NUMBER } from '../configurations/version.js';

/** Apple takes longer ones, but a whole number of JSON is exact up to this. */
const MAX_IOS_BUILD_NUMBER = 999_999_999_999_999;

/** The number of a build, and one sentence that says why it is this one. */
export interface NumberedBuild {
  readonly number: number;
  readonly note: string;
}

/**
 * The number that follows all that are used.
 *
 * @param reserved the highest one of other builds of the app for the package; `null`: none has one
 * @returns the reason, which says what to do, when there is no higher one
 */
export function nextNumber(
  platform: 'android' | 'ios',
  { packageName, store, inStore, submitted }: UsedBuildNumbers,
  reserved: number | null,
): NumberedBuild | { readonly failure: string } {
  const highest = Math.max(inStore ?? 0, submitted ?? 0, reserved ?? 0);
  const max = platform === 'android' ? MAX_CONFIGURED_BUILD_NUMBER : MAX_IOS_BUILD_NUMBER;
  if (highest >= max) {
    return {
      failure: `${store} has build numbers up to the highest that Slipway counts, ${max.toLocaleString('en')}. Set another buildNumber in the configuration.`,
    };
  }
  const number = highest + 1;
  const why =
    highest === 0
      ? `${store} has no build of ${packageName}`
      : `${ownerOf(highest, { store, inStore, submitted })} ${highest}`;
  return { number, note: `The build number is ${number}: ${why}.` };
}

function ownerOf(
  highest: number,
  { store, inStore, submitted }: Pick<UsedBuildNumbers, 'store' | 'inStore' | 'submitted'>,
): string {
  if (inStore === highest) return `${store} has`;
  return submitted === highest ? 'a submission of the app had' : 'another build of the app has';
}
