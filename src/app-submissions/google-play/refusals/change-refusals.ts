import { StoreRefusal } from '../../calls/refusals/refusal.js';

/** What the sentences say about submissions, and what that is for the change of a release. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bsubmit(?: it)? again\b/g, 'try again'],
  [/\bSubmit(?: it)? again\b/g, 'Try again'],
  [/\bmake the release in the Play Console/g, 'make the change in the Play Console'],
  [/\bMake the release in the Play Console/g, 'Make the change in the Play Console'],
  [
    /\bSlipway tries again; after too many attempts, try again later\./g,
    'Slipway tries again; after too many attempts, try later.',
  ],
];

/** Sentences that say something else about a change. */
const SENTENCES: Readonly<Record<string, string>> = {
  changes_in_review:
    'Changes of this app are in review, and Google Play takes no other changes meanwhile. Wait until the review ends, or end it in the Play Console; then set the share again.',
  first_release_staged:
    'The first release of a track cannot be a staged rollout. Set the share to 100 percent.',
  app_is_draft:
    'The app has never been published, so it has no users. Finish the first release in the Play Console, then set the share again.',
  version_code_unknown:
    'Google Play does not have the version code of the release any more. Look for the release in the Play Console; a retry does not help.',
  version_code_too_low:
    'Users have a release with a higher version code, so no user would get this one. Change the rollout of that release instead; a retry does not help.',
  release_notes_too_long:
    'The release notes of the track are longer than 500 characters. Shorten them in the Play Console, then set the share again.',
  language_not_listed:
    'The release notes of the track have a language that the store listing does not have. Add it to the listing in the Play Console, then set the share again.',
  fully_released:
    'All users get the release already, so its share cannot be changed. To take it back, submit a build of the earlier version with a higher version code.',
};

/** The refusal of a change of a release, whose sentence does not ask for another submission. */
export function toChangeRefusal({ refusal, status, storeMessage, release }: StoreRefusal): StoreRefusal {
  const own = Object.hasOwn(SENTENCES, refusal.code) ? SENTENCES[refusal.code] : undefined;
  const sentence = own ?? WORDS.reduce((text, [from, to]) => text.replace(from, to), refusal.sentence);
  return new StoreRefusal({ ...refusal, sentence }, status, storeMessage, release);
}
