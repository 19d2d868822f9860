import { PLAY_CONSOLE } from './play-pages.js';
import { linkedTo, type RefusalRow } from '../../calls/refusals/refusal-row.js';

/** Declarations that Google Play wants. They often contain the word "permission", which therefore identifies nothing. */
export const POLICY_REFUSALS: readonly RefusalRow[] = linkedTo(PLAY_CONSOLE, [
  {
    code: 'declaration_advertising_id',
    fragments: ['permission.AD_ID'],
    also: 'declaration',
    sentence:
      'The declaration about the advertising ID does not match the app. Correct "Advertising ID" in the Play Console under "App content"; then submit again.',
    retry: 'after-action',
  },
  {
    code: 'declaration_exact_alarm',
    fragments: ['exact alarm'],
    sentence:
      'The app uses exact alarms without a declaration. Declare them in the Play Console under "App content", or remove the permission and build again; then submit again.',
    retry: 'after-action',
  },
  {
    code: 'declaration_foreground_service',
    fragments: ['Foreground Service'],
    sentence:
      'The app uses foreground services without a declaration. Declare them in the Play Console under "App content", or remove the permission and build again; then submit again.',
    retry: 'after-action',
  },
  {
    code: 'declaration_photo_video',
    fragments: ['photo and video'],
    sentence:
      'The app reads photos and videos without a declaration. Declare that in the Play Console under "App content", or remove the permission and build again; then submit again.',
    retry: 'after-action',
  },
  {
    code: 'declaration_health_connect',
    fragments: ['approval to use'],
    also: 'Health Connect',
    sentence:
      'The app has no approval for Health Connect. Ask for it in the Play Console under "App content" and wait for it, or remove the permissions and build again; then submit again.',
    retry: 'after-action',
  },
  {
    code: 'declaration_health',
    fragments: ['any health features'],
    sentence:
      'The declaration about health features does not match the app. Correct "Health apps" in the Play Console under "App content", or remove the permissions and build again; then submit again.',
    retry: 'after-action',
  },
  {
    code: 'declaration_permissions',
    fragments: ['missing from permission declaration', 'declaration needs to be updated'],
    sentence:
      'A permission of the app needs a declaration. Fill in its form in the Play Console under "App content", or remove the permission; then submit again. If the form is missing, submit as a draft first: it shows once the Play Console has such a file.',
    retry: 'after-action',
  },
  {
    code: 'declaration_data_safety',
    fragments: ['no data safety declaration'],
    sentence:
      'The app has no data safety declaration. Fill in "Data safety" in the Play Console under "App content"; then submit again.',
    retry: 'after-action',
  },
  {
    code: 'declaration_privacy_policy',
    fragments: ['privacy policy'],
    sentence:
      'The app needs a privacy policy. Add its address in the Play Console under "App content", or remove the permission that needs it and build again; then submit again.',
    retry: 'after-action',
  },
]);
