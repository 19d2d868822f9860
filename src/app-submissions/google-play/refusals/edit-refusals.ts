import { partOf, type RefusalRow } from '../../calls/refusals/refusal-row.js';
import { PLAY_CONSOLE } from './play-pages.js';

/** The state of the edit, and reviews of what is committed. */
export const EDIT_REFUSALS: readonly RefusalRow[] = [
  {
    code: 'edit_lost',
    fragments: ['edit has been deleted', 'edit has expired'],
    sentence:
      'Another edit, a change in the Play Console or its age has ended the edit. Slipway begins again with a new one; if that happens too often, make no changes to the app elsewhere and submit again.',
    retry: 'again',
    does: 'new-edit',
  },
  {
    code: 'edit_committed',
    fragments: ['already been successfully committed'],
    sentence:
      'The edit has been committed already. If the release is on its track, it is done; a retry does not help.',
    does: 'done',
  },
  {
    code: 'concurrent_update',
    fragments: ['concurrentUpdate'],
    sentence:
      'Google Play is busy with another change of this app. Slipway waits and tries again; after too many attempts, make no changes to the app elsewhere and submit again.',
    retry: 'again',
    afterSeconds: 10,
  },
  {
    code: 'changes_in_review',
    fragments: ['CHANGES_ALREADY_IN_REVIEW'],
    sentence:
      'Changes of this app are in review. Wait until the review ends and submit again, or submit with cancelRunningReview, which cancels that review and sends all changes together.',
    retry: 'after-action',
    link: PLAY_CONSOLE,
  },
  {
    code: 'changes_not_sent_for_review',
    fragments: ['changesNotSentForReview to true'],
    sentence:
      'After a rejection, Google Play takes changes only without sending them for review. Slipway commits so; then send them for review in the Play Console under "Publishing overview".',
    retry: 'again',
    link: PLAY_CONSOLE,
    does: 'not-sent-for-review',
  },
  {
    code: 'changes_are_sent_for_review',
    fragments: ['changesNotSentForReview must not be set'],
    sentence:
      'Google Play sends the changes for review by itself. Slipway commits again accordingly; you have nothing to do.',
    retry: 'again',
    does: 'send-for-review',
  },
  {
    code: 'upload_being_processed',
    fragments: ['uploads are not completed yet'],
    sentence:
      'Google Play still unpacks the uploaded file. Slipway waits and tries again in the same edit; after too many attempts, submit again later.',
    retry: 'again',
    does: 'wait-for-processing',
    afterSeconds: 2,
  },
];

/** The track, the rollout and the texts of a release. */
export const RELEASE_REFUSALS: readonly RefusalRow[] = [
  {
    code: 'app_is_draft',
    fragments: ['Only releases with status draft'],
    sentence:
      'The app has never been published, so Google Play takes drafts only. Set androidReleaseStatus of the destination to draft, submit again, and finish the first release in the Play Console.',
    retry: 'after-action',
    link: PLAY_CONSOLE,
  },
  {
    code: 'first_release_staged',
    fragments: ['first release on a track cannot be staged'],
    sentence:
      'The first release of a track cannot be a staged rollout. Submit again with a rollout of 100 percent.',
    retry: 'after-action',
  },
  {
    code: 'no_countries',
    fragments: ['targeting no countries', 'Country targeting is only supported for staged'],
    sentence:
      'The track has no usable countries. Choose its countries in the Play Console (a track does not inherit them), or check that the destination names the right track; then submit again.',
    retry: 'after-action',
    link: PLAY_CONSOLE,
  },
  {
    code: 'fully_released',
    fragments: ['Fully released can not be staged', 'Fully released cannot be staged'],
    sentence:
      'The release has reached all users already, so there is nothing left to roll out. A retry does not help.',
    does: 'done',
  },
  {
    code: 'too_many_releases',
    fragments: ['Too many staged', 'Too many completed releases'],
    sentence:
      'The track has too many running releases. Complete or halt the older one in the Play Console; then submit again.',
    retry: 'after-action',
    link: PLAY_CONSOLE,
  },
  {
    code: 'version_code_unknown',
    fragments: ['version codes could not be found'],
    sentence:
      'The release names a version code that Google Play does not have. A retry with the same release does not help: submit the build itself, so that its file is uploaded.',
  },
  {
    code: 'version_code_too_low',
    fragments: ['existing users to upgrade', 'downgraded', 'downloaded by any devices'],
    sentence:
      'The version code is not above that of another release, so no user would get this one. Raise versionCode, build again and submit that build; a retry does not help.',
  },
  {
    code: 'release_notes_too_long',
    fragments: ['too long (max: 500)'],
    sentence: (said) => {
      const language = partOf(said, /\b([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})+)\b/);
      return `The release notes${language === null ? '' : ` in ${language}`} are longer than 500 characters. Shorten them and submit again; a retry with the same notes does not help.`;
    },
  },
  {
    code: 'language_not_listed',
    fragments: ['language is not currently supported', 'not associated with the app'],
    sentence:
      'The release notes have a language that the store listing of the app does not have. Add the language to the listing in the Play Console, or leave its notes out; then submit again.',
    retry: 'after-action',
    link: PLAY_CONSOLE,
  },
  {
    code: 'track_not_found',
    fragments: ['Track not found'],
    sentence:
      'Google Play has no such track for this app. Check googlePlayTrack of the destination, or create the track in the Play Console; a retry with the same track does not help.',
    link: PLAY_CONSOLE,
  },
];
