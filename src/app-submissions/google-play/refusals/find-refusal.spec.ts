import { STATUS_CODES } from 'node:http';
import { refusalOfRow } from '../../calls/refusals/refusal-row.js';
import { StoreRefusal } from '../../calls/refusals/refusal.js';
import { findRefusal, type PlayCall, REFUSALS, toChangeRefusal } from './find-refusal.js';

/** An error as Google sends it. */
function body(
  code: number,
  message: string | null,
  status = 'X',
  reasons: string[] = ['badRequest'],
): string {
  const errors = reasons.map((reason) => ({ domain: 'androidpublisher', reason, message }));
  return JSON.stringify({ error: { code, status, message, errors } });
}

const refuse = (call: PlayCall, status: number, text: string, headers = {}) =>
  findRefusal(call, { status, headers, text });

/** Status, what Google says, and the code; then a reason that says more than the message. */
const CASES: readonly [number, PlayCall, string, string, string?][] = [
  [
    401,
    'track',
    'Request had invalid authentication credentials. Expected OAuth 2 access token.',
    'store_token_refused',
  ],
  [403, 'insert', 'Unauthorized', 'store_token_refused'],
  [403, 'insert', 'The caller does not have permission', 'store_access_denied'],
  [
    403,
    'insert',
    'The current user has insufficient permissions to perform the requested operation.',
    'store_access_denied',
  ],
  [
    403,
    'insert',
    'Google Play Android Developer API has not been used in project 42 before or it is disabled.',
    'store_api_disabled',
  ],
  [403, 'insert', 'Project #42 has been deleted.', 'store_project_unusable', 'CONSUMER_INVALID'],
  [
    403,
    'insert',
    'The project id used to call the API has not been linked.',
    'store_project_unusable',
    'projectNotLinked',
  ],
  [404, 'insert', 'Package not found: com.example.app.', 'package_not_found'],
  [400, 'track', 'This Edit has been deleted.', 'edit_lost'],
  [410, 'validate', 'This edit has expired.', 'edit_lost'],
  [400, 'commit', 'This Edit has already been successfully committed.', 'edit_committed'],
  [409, 'commit', 'Conflict', 'concurrent_update', 'concurrentUpdate'],
  [400, 'commit', 'There are changes in review.', 'changes_in_review', 'CHANGES_ALREADY_IN_REVIEW'],
  [
    400,
    'commit',
    'Changes cannot be sent for review automatically. Please set the query parameter changesNotSentForReview to true. Once committed, the changes in this edit can be sent for review from the Google Play Console UI.',
    'changes_not_sent_for_review',
  ],
  [
    400,
    'commit',
    'Changes are sent for review automatically. The query parameter changesNotSentForReview must not be set.',
    'changes_are_sent_for_review',
  ],
  [400, 'commit', 'Only releases with status draft may be created on draft app.', 'app_is_draft'],
  [400, 'commit', 'The first release on a track cannot be staged.', 'first_release_staged'],
  [403, 'commit', 'Your release is targeting no countries.', 'no_countries'],
  [400, 'commit', 'Country targeting is only supported for staged releases.', 'no_countries'],
  [400, 'track', 'Fully released can not be staged.', 'fully_released'],
  [400, 'commit', 'Too many staged releases.', 'too_many_releases'],
  [400, 'commit', 'Too many completed releases specified.', 'too_many_releases'],
  [
    403,
    'commit',
    'There are some issues with your account. Please check your account in the Play Console.',
    'store_account_issues',
  ],
  [
    400,
    'commit',
    'This release includes the com.google.android.gms.permission.AD_ID permission but your declaration on Play Console says your app does not use advertising ID.',
    'declaration_advertising_id',
  ],
  [403, 'commit', 'You need to complete the exact alarm permission declaration.', 'declaration_exact_alarm'],
  [
    403,
    'commit',
    'You must let us know whether your app uses any Foreground Service permissions.',
    'declaration_foreground_service',
  ],
  [403, 'commit', 'Your app needs a declaration for photo and video permissions.', 'declaration_photo_video'],
  [403, 'commit', 'You must let us know whether your app has any health features.', 'declaration_health'],
  [
    403,
    'commit',
    'Your app does not have approval to use these Health Connect permissions.',
    'declaration_health_connect',
  ],
  [403, 'commit', 'The permission SMS is missing from permission declaration.', 'declaration_permissions'],
  [403, 'validate', 'Your permissions declaration needs to be updated.', 'declaration_permissions'],
  [400, 'commit', 'There is no data safety declaration for this app.', 'declaration_data_safety'],
  [
    400,
    'commit',
    'Your app has an APK with permission android.permission.CAMERA that requires a privacy policy.',
    'declaration_privacy_policy',
  ],
  [403, 'upload', 'The Android App Bundle was not signed.', 'artifact_unsigned'],
  [
    403,
    'upload',
    'You uploaded an APK or Android App Bundle that was signed in debug mode.',
    'artifact_signed_for_debugging',
  ],
  [403, 'upload', 'The Android App Bundle was signed with the wrong key.', 'artifact_wrong_key'],
  [403, 'upload', 'It is not signed with the upload certificate.', 'artifact_wrong_key'],
  [403, 'upload', 'APK has the wrong package name: com.other.', 'artifact_wrong_package'],
  [403, 'upload', 'APKs are not allowed for this application.', 'artifact_must_be_bundle'],
  [403, 'upload', 'The app must be enrolled in Play Signing.', 'play_signing_missing'],
  [403, 'upload', 'The file is not a valid ZIP archive.', 'artifact_broken'],
  [403, 'upload', 'Executing bundletool build-apks failed.', 'artifact_broken'],
  [403, 'upload', 'The bundle installation may trigger a warning on user devices.', 'artifact_size_warning'],
  [403, 'upload', 'Version code 7 has already been used.', 'version_code_used'],
  [403, 'upload', 'Cannot update a published APK.', 'version_code_used'],
  [404, 'commit', 'The following version codes could not be found: 7.', 'version_code_unknown'],
  [
    403,
    'commit',
    'You cannot rollout this release because it does not allow any existing users to upgrade to the newly added APKs.',
    'version_code_too_low',
  ],
  [403, 'commit', 'Some users will be downgraded.', 'version_code_too_low'],
  [403, 'commit', 'Version 6 would not be downloaded by any devices.', 'version_code_too_low'],
  [403, 'commit', 'Target SDK of artifact is too low: 7.', 'target_sdk_too_low'],
  [
    403,
    'upload',
    'Your app currently targets API level 33 and must target at least API level 35.',
    'target_sdk_too_low',
  ],
  [400, 'validate', 'Some uploads are not completed yet.', 'upload_being_processed'],
  [403, 'commit', 'Release notes for language de-DE are too long (max: 500).', 'release_notes_too_long'],
  [400, 'track', 'The language is not currently supported.', 'language_not_listed'],
  [403, 'commit', 'Language fr-FR is not associated with the app.', 'language_not_listed'],
  [400, 'validate', 'Track not found: qa.', 'track_not_found'],
  [403, 'insert', 'Quota exceeded.', 'store_rate_limit', 'rateLimitExceeded'],
  [
    403,
    'insert',
    "Quota exceeded for quota metric 'Queries' and limit 'Queries per day'.",
    'store_daily_quota',
    'rateLimitExceeded',
  ],
  [429, 'insert', 'Slow down.', 'store_rate_limit'],
  [500, 'commit', 'Internal error encountered.', 'store_failed'],
  [503, 'upload', 'The service is currently unavailable.', 'store_failed'],
  [408, 'upload', 'Timeout', 'store_failed'],
  [302, 'read', 'Found', 'store_answer_unusable'],
  [400, 'track', 'Something that no one has seen before.', 'store_refused'],
];

describe('refusals of Google Play', () => {
  it.each(CASES)('%i at %s: %s', (status, call, message, code, reason = 'badRequest') => {
    const { refusal, storeMessage } = refuse(call, status, body(status, message, 'X', [reason]));
    expect(refusal.code).toBe(code);
    expect(storeMessage).toBe(message);
    expect(refusal.sentence.length).toBeLessThanOrEqual(300);
    expect(refusal.sentence).toMatch(/^[A-Z].*[.]$/);
    expect(refusal.sentence).toMatch(
      /retry|tries again|submit again|goes on|again accordingly|uploads again|commits so|new one/i,
    );
  });

  it('cover every row', () => {
    const found = new Set(
      CASES.map(([status, call, message, , reason = 'badRequest']) =>
        JSON.stringify(refuse(call, status, body(status, message, 'X', [reason])).refusal.code),
      ),
    );
    expect(REFUSALS.filter(({ code }) => !found.has(JSON.stringify(code)))).toEqual([]);
    const fragments = REFUSALS.flatMap((row) => row.fragments ?? []);
    expect(fragments.filter((fragment) => /^permissions?$/i.test(fragment.trim()))).toEqual([]);
    const searched = CASES.map(([, , message, , reason]) => `${message} ${reason}`.toLowerCase());
    const unseen = fragments.filter((text) => !searched.some((said) => said.includes(text.toLowerCase())));
    expect(unseen.sort()).toEqual([
      'Fully released cannot be staged',
      'RATE_LIMIT_EXCEEDED',
      'RESOURCE_EXHAUSTED',
      'ackBundleInstallationWarning',
      'daily limit',
      'dailyLimitExceeded',
      'installation warning',
    ]);
  });

  it('ignore case, and find reasons of both lists', () => {
    expect(refuse('commit', 400, body(400, 'THIS EDIT HAS BEEN DELETED')).refusal.code).toBe('edit_lost');
    const details = [
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'CHANGES_ALREADY_IN_REVIEW' },
    ];
    const text = JSON.stringify({ error: { code: 400, message: 'Precondition check failed.', details } });
    expect(refuse('commit', 400, text).refusal.code).toBe('changes_in_review');
  });

  it('say what the engine does about them', () => {
    const does = (status: number, message: string | null, reason?: string) =>
      refuse('commit', status, body(status, message, 'X', reason === undefined ? [] : [reason])).refusal.does;
    expect(does(401, 'x')).toBe('new-token');
    expect(does(400, 'This edit has expired.')).toBe('new-edit');
    expect(does(400, 'already been successfully committed')).toBe('done');
    expect(does(400, 'uploads are not completed yet')).toBe('wait-for-processing');
    expect(does(400, 'set the query parameter changesNotSentForReview to true')).toBe('not-sent-for-review');
    expect(does(400, 'changesNotSentForReview must not be set')).toBe('send-for-review');
    expect(does(403, 'Version code 1 has already been used.')).toBe('same-file');
    expect(does(403, 'installation warning')).toBe('ack-size-warning');
    expect(does(409, 'x', 'concurrentUpdate')).toBeUndefined();
    expect(does(500, null)).toBeUndefined();
    expect(does(403, 'The caller does not have permission')).toBeUndefined();
  });

  it('name both keys, whichever comes first', () => {
    const [found, expected] = ['AA', 'BB'].map((byte) => Array.from({ length: 20 }, () => byte).join(':'));
    const sentenceOf = (message: string) => refuse('upload', 403, body(403, message)).refusal.sentence;
    const shown = `(SHA-1 ${found}, expected ${expected})`;
    expect(
      sentenceOf(`It was signed with the wrong key. Found: SHA1: ${found}, expected: SHA1: ${expected}`),
    ).toContain(shown);
    const other = `Signed with the wrong key. Your App Bundle is expected to be signed with the certificate ${expected}, but was with ${found}`;
    expect(sentenceOf(other)).toContain(shown);
    expect(sentenceOf(other).length).toBeLessThanOrEqual(300);
  });

  it('name language and API level', () => {
    expect(
      refuse('commit', 403, body(403, 'Release notes in zh-Hant-TW too long (max: 500)')).refusal.sentence,
    ).toContain(' in zh-Hant-TW ');
    expect(refuse('commit', 403, body(403, 'too long (max: 500)')).refusal.sentence).toContain(
      'The release notes are',
    );
    const { sentence } = refuse('upload', 403, body(403, 'must target at least API level 35')).refusal;
    expect(sentence).toContain('to 35 or higher');
  });

  it('wait as long as the store asks for, and an hour at most', () => {
    const after = (status: number, value: string) =>
      refuse('insert', status, body(status, 'x'), { 'retry-after': value }).refusal.afterSeconds;
    expect(after(429, '5')).toBe(60);
    expect(after(429, '90')).toBe(90);
    expect(after(503, '999999999')).toBe(3600);
    expect(after(503, '-5')).toBe(5);
    expect(after(503, 'soon')).toBe(5);
    expect(after(503, new Date(Date.now() + 120_000).toUTCString())).toBeGreaterThan(100);
    expect(after(400, '90')).toBeUndefined();
  });

  it.each([
    [
      'a page',
      '<html><head><title>Error 400</title></head><body>Bad &amp; ugly</body></html>',
      'Error 400 Bad &amp; ugly',
    ],
    ['nothing', '', null],
    ['truncated JSON', '{"error": {"code": 400, "mess', '{"error": {"code": 400, "mess'],
    ['another shape', '{"error": [1, {"message": 3}]}', '{"error": [1, {"message": 3}]}'],
    ['a list', '[]', '[]'],
    ['null', 'null', 'null'],
    ['control characters', '\u0000\u001b[31mred\u0007', '[31mred'],
  ])('understand %s', (_, text, message) => {
    const { refusal, storeMessage } = refuse('track', 400, text);
    expect(refusal.code).toBe('store_refused');
    expect(storeMessage).toBe(message);
  });

  it('show no e-mail addresses, and no more than 1,000 characters', () => {
    const said = `The account robot@project.iam.gserviceaccount.com ${'x'.repeat(5000)}`;
    const { storeMessage } = refuse('track', 400, body(400, said));
    expect(storeMessage).toMatch(/^The account \*\*\* x+$/);
    expect(storeMessage?.length).toBeLessThanOrEqual(1000);
  });

  it.each([400, 403, 404, 409, 412, 418, 500, 502])('answer %i in general words without a body', (status) => {
    const { refusal } = refuse('validate', status, STATUS_CODES[status] ?? '');
    expect(refusal.sentence).toContain(`the check of the edit (status ${status})`);
    expect(refusal.retry).toBe(status >= 500 ? 'again' : 'never');
  });

  it('do not hang on an answer with very many values', () => {
    const text = `{"error":{"message":"x","errors":[${'{},'.repeat(400_000)}{}]}}`;
    expect(refuse('track', 400, text).refusal.code).toBe('store_refused');
  });
});

/** What the file of a build gets, which a change does not send. */
const OF_FILES = /^(artifact_|play_signing|target_sdk|version_code_used|declaration_)/;

it.each(REFUSALS.filter(({ code }) => !OF_FILES.test(code)).map((row) => [row.code, row] as const))(
  'says in its sentence about %s nothing about another submission',
  (_, row) => {
    const { message } = toChangeRefusal(new StoreRefusal(refusalOfRow(row, ''), 400, null));
    expect(message).not.toMatch(/\bsubmit (it )?again|cancelRunningReview|of the destination to draft/i);
    expect(message).toMatch(/^[A-Z].*\.$/);
    expect(message.length).toBeLessThanOrEqual(300);
  },
);

it('keeps what the store said', () => {
  const refusal = { code: 'x', sentence: 'Settle it, then submit again.', retry: 'never' } as const;
  expect(toChangeRefusal(new StoreRefusal(refusal, 403, 'No.'))).toMatchObject({
    message: 'Settle it, then try again.',
    status: 403,
    storeMessage: 'No.',
  });
});
