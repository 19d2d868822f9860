import { REVIEW_ROWS, REVIEW_STATE_ROWS, ROLLOUT_ROWS, VERSION_ROWS } from './app-store-rows.js';
import { lineOf } from './apple-error.js';
import type { AppleCall } from './apple-refusal-row.js';
import { APPLE_ROWS, findRefusal, uploadRefusal } from './find-refusal.js';

interface Said {
  readonly code: string;
  readonly title?: string;
  readonly detail?: string;
  readonly source?: object;
  readonly meta?: object;
}
const INVALID = 'The provided entity includes an attribute with an invalid value';
const STATE = 'The request cannot be fulfilled because of the state of another resource.';

/** An answer as Apple gives it. */
function refuse(
  call: AppleCall,
  status: number,
  errors: readonly Said[] | string,
  headers: Record<string, string> = {},
) {
  const body = {
    errors: typeof errors === 'string' ? [] : errors.map((error) => ({ id: 'x', status, ...error })),
  };
  const text = typeof errors === 'string' ? errors : JSON.stringify(body);
  return findRefusal(call, { status, headers, text });
}
const attribute = (name: string) => ({ source: { pointer: `/data/attributes/${name}` } });

/** One answer for each row: call, status, errors, and the code that Slipway gives it. */
const ROWS: readonly [AppleCall, number, Said, string][] = [
  [
    'create-upload',
    409,
    {
      code: 'ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE',
      title: 'The provided entity includes an attribute with a value that has already been used',
      detail: "The bundle version must be higher than the previously uploaded version: '8'.",
      ...attribute('cfBundleVersion'),
    },
    'build_number_used',
  ],
  ['delete-upload', 404, { code: 'NOT_FOUND' }, 'upload_deleted'],
  ['create-file', 404, { code: 'NOT_FOUND' }, 'upload_lost'],
  [
    'compliance',
    409,
    {
      code: 'ENTITY_ERROR.ATTRIBUTE.INVALID',
      title: INVALID,
      detail: "You cannot update when the value is already set. - '/data/attributes/usesNonExemptEncryption'",
      ...attribute('usesNonExemptEncryption'),
    },
    'compliance_already_set',
  ],
  [
    'beta-review',
    422,
    { code: 'ENTITY_UNPROCESSABLE', detail: 'Build is in MISSING_EXPORT_COMPLIANCE state.' },
    'compliance_missing',
  ],
  [
    'beta-review',
    409,
    {
      code: 'ENTITY_ERROR.ATTRIBUTE.REQUIRED',
      title: 'The provided entity is missing a required attribute',
      detail: "You must provide a value for the attribute 'usesNonExemptEncryption' with this request",
      ...attribute('usesNonExemptEncryption'),
    },
    'compliance_missing',
  ],
  [
    'notes',
    409,
    { code: 'STATE_ERROR', title: STATE, detail: "Attribute 'whatsNew' cannot be edited at this time" },
    'notes_locked',
  ],
  [
    'notes',
    409,
    {
      code: 'ENTITY_ERROR.ATTRIBUTE.INVALID.TOO_LONG',
      title: 'An attribute value is too long.',
      ...attribute('whatsNew'),
    },
    'notes_too_long',
  ],
  [
    'notes',
    409,
    {
      code: 'ENTITY_ERROR.ATTRIBUTE.INVALID.INVALID_CHARACTERS',
      title: 'An attribute value has invalid characters.',
    },
    'notes_characters',
  ],
  ['notes', 409, { code: 'ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE', ...attribute('locale') }, 'notes_exist'],
  ['notes', 409, { code: 'ENTITY_ERROR.ATTRIBUTE.INVALID', ...attribute('locale') }, 'notes_locale_unknown'],
  [
    'group',
    422,
    { code: 'ENTITY_UNPROCESSABLE', detail: 'Build is not in an externally assignable state' },
    'group_needs_review',
  ],
  [
    'group',
    422,
    { code: 'ENTITY_UNPROCESSABLE', detail: 'Cannot add internal group to a build.' },
    'group_has_all_builds',
  ],
  [
    'beta-review',
    422,
    { code: 'ENTITY_UNPROCESSABLE', detail: 'The build is not in a valid processing state' },
    'build_still_processed',
  ],
  [
    'beta-review',
    422,
    { code: 'ENTITY_UNPROCESSABLE.ANOTHER_BUILD_IN_REVIEW', title: 'Another build is in review' },
    'another_build_in_review',
  ],
  [
    'beta-review',
    422,
    { code: 'ENTITY_UNPROCESSABLE.INVALID_QC_STATE', title: 'Invalid QC state' },
    'beta_review_known',
  ],
  ['beta-review', 422, { code: 'ENTITY_UNPROCESSABLE.SUBMISSION_LIMIT_REACHED' }, 'beta_review_limit'],
  ['beta-review', 422, { code: 'ENTITY_UNPROCESSABLE.BETA_CONTRACT_MISSING' }, 'beta_contract_missing'],
  [
    'beta-review',
    422,
    {
      code: 'ENTITY_UNPROCESSABLE',
      title: 'Beta App Description is missing.',
      detail: 'Beta App Description is required to submit a build for external testing.',
    },
    'test_information_missing',
  ],
  [
    'beta-review',
    422,
    { code: 'ENTITY_UNPROCESSABLE.BUILD_SDK_NOT_ALLOWED_FOR_EXTERNAL_TESTING' },
    'sdk_not_released',
  ],
  [
    'app',
    403,
    {
      code: 'FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED',
      title: 'A required agreement is missing or has expired.',
      detail: 'This request requires an in-effect agreement that has not been signed or has expired.',
    },
    'store_agreements_missing',
  ],
  [
    'app',
    403,
    { code: 'FORBIDDEN_ERROR', detail: 'The team has no active membership.' },
    'store_membership_ended',
  ],
  [
    'beta-review',
    403,
    {
      code: 'FORBIDDEN_ERROR',
      title: 'This request is forbidden for security reasons',
      detail: 'The API key in use does not allow this request',
    },
    'store_access_denied',
  ],
  ['app', 404, { code: 'NOT_FOUND', title: 'The specified resource does not exist' }, 'app_not_found'],
  ['read', 429, { code: 'RATE_LIMIT_EXCEEDED' }, 'store_rate_limit'],
  ['group', 404, { code: 'NOT_FOUND' }, 'not_found_yet'],
  // One of the codes of a file, should Apple give it at once.
  ['create-upload', 409, { code: '90186', detail: 'Invalid Pre-Release Train.' }, 'version_closed'],
];

describe('refusals of App Store Connect', () => {
  it.each(ROWS)('%s, status %i, %j: %s', (call, status, error, code) => {
    const { refusal, storeMessage } = refuse(call, status, [error]);
    expect(refusal.code).toBe(code);
    expect(refusal.sentence.length).toBeLessThanOrEqual(300);
    expect(storeMessage).toContain(error.code);
    for (const words of [error.title, error.detail])
      if (words !== undefined) expect(storeMessage).toContain(words);
    const other = refuse(call, 503, [error]).refusal;
    expect(other).toMatchObject({ code: 'store_failed', retry: 'again' });
  });

  it('have a test for each row, and a finished sentence', () => {
    const tested = new Set([...ROWS.map(([, , , code]) => code), ...UPLOADS.map(([, , code]) => code)]);
    // Their answers are in app-store-refusals.spec.ts.
    for (const { code } of [...VERSION_ROWS, ...ROLLOUT_ROWS, ...REVIEW_ROWS, ...REVIEW_STATE_ROWS])
      tested.add(code);
    for (const { code, sentence, retry } of APPLE_ROWS) {
      expect(tested).toContain(code);
      const text = typeof sentence === 'string' ? sentence : sentence('');
      expect(text).toMatch(/\.$/);
      expect(text.length).toBeLessThanOrEqual(255);
      if (retry === 'after-action') expect(text).toMatch(/\b(submit|try) /i);
    }
  });

  it.each([
    ['compliance_already_set', 'done'],
    ['notes_locked', 'done'],
    ['beta_review_known', 'done'],
    ['group_has_all_builds', 'done'],
    ['upload_deleted', 'done'],
    ['upload_lost', 'new-upload'],
    ['not_found_yet', 'wait-for-processing'],
    ['build_still_processed', 'wait-for-processing'],
    ['store_rate_limit', 'wait-for-quota'],
  ])('%s: %s', (code, does) => {
    const rows = APPLE_ROWS.filter((row) => row.code === code);
    expect(rows.map((row) => row.does)).toEqual(rows.map(() => does));
  });

  it('match codes by prefix, at a dot', () => {
    const longer = { code: 'ENTITY_UNPROCESSABLE.ANOTHER_BUILD_IN_REVIEW.TV_OS' };
    expect(refuse('beta-review', 422, [longer]).refusal.code).toBe('another_build_in_review');
    const other = { code: 'ENTITY_UNPROCESSABLE.ANOTHER_BUILD_IN_REVIEWS' };
    expect(refuse('beta-review', 422, [other]).refusal.code).toBe('store_refused');
  });

  it('are about the call that was made', () => {
    const duplicate = { code: 'ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE' };
    expect(refuse('group', 409, [duplicate]).refusal).toMatchObject({
      code: 'store_refused',
      retry: 'never',
      sentence: expect.stringContaining('the TestFlight group (status 409)') as string,
    });
  });

  it('read all errors, also associated ones, and say how many more there are', () => {
    const umbrella = {
      code: 'STATE_ERROR.ENTITY_STATE_INVALID',
      title: 'The build is not in valid state.',
      detail: 'This resource cannot be reviewed, please check associated errors to see why.',
      meta: {
        associatedErrors: {
          '/v1/betaAppLocalizations/7': [
            { code: 'UNKNOWN', detail: 'Something else is missing.' },
            { code: 'ENTITY_ERROR.ATTRIBUTE.REQUIRED', title: 'Beta App Description is missing.' },
          ],
          '/v1/builds/8': [
            {
              code: 'STATE_ERROR',
              detail: 'Deeper.',
              meta: { associatedErrors: { '/v1/x': [{ code: 'DEEPEST', detail: 'The deepest.' }] } },
            },
          ],
        },
      },
    };
    const { refusal, storeMessage } = refuse('beta-review', 409, [umbrella]);
    expect(refusal.code).toBe('test_information_missing');
    expect(refusal.sentence).toMatch(/Apple names 2 more problems: see the log\.$/);
    expect(refusal.sentence.length).toBeLessThanOrEqual(300);
    for (const said of [
      'check associated errors',
      'Something else',
      'Description',
      'Deeper',
      'The deepest',
      'at /v1/builds/8',
    ]) {
      expect(storeMessage).toContain(said);
    }
  });

  it('are the most specific one, whatever comes first', () => {
    const unknown = { code: 'SOMETHING', detail: 'Else.' };
    const known = { code: 'ENTITY_UNPROCESSABLE.BETA_CONTRACT_MISSING' };
    for (const errors of [
      [unknown, known],
      [known, unknown],
    ]) {
      const { refusal } = refuse('beta-review', 422, errors);
      expect(refusal.code).toBe('beta_contract_missing');
      expect(refusal.sentence).toMatch(/Apple names one more problem: see the log\.$/);
    }
  });

  it('are no success while something else is wrong', () => {
    const internal = { code: 'ENTITY_UNPROCESSABLE', detail: 'Cannot add internal group to a build.' };
    const { refusal } = refuse('group', 422, [internal, { code: 'OTHER', detail: 'Else.' }]);
    expect(refusal).toMatchObject({ code: 'store_refused' });
    expect(refusal.does).toBeUndefined();
  });

  it('wait as long as Apple asks for, without counting attempts', () => {
    const error = [{ code: 'RATE_LIMIT_EXCEEDED' }];
    expect(refuse('read', 429, error, { 'retry-after': '90' }).refusal).toMatchObject({
      does: 'wait-for-quota',
      afterSeconds: 90,
    });
    expect(refuse('read', 429, error).refusal).toMatchObject({ does: 'wait-for-quota', afterSeconds: 60 });
  });

  it.each([
    [600, "This server's clock is 10 minutes ahead of Apple's", 'store_clock_wrong'],
    [-600, "This server's clock is 10 minutes behind Apple's", 'store_clock_wrong'],
    [90, "This server's clock is 90 seconds ahead", 'store_clock_wrong'],
    [-7200 * 30, '3 days behind', 'store_clock_wrong'],
    [30, "Check this server's clock and the key", 'store_key_refused'],
  ])('sign in again; with a clock that is %i seconds off they say: %s', (seconds, said, code) => {
    const now = new Date('2026-11-24T15:00:00Z');
    const date = new Date(now.getTime() - seconds * 1000).toUTCString();
    const { refusal } = findRefusal('read', { status: 401, headers: { date }, text: '' }, now);
    expect(refusal).toMatchObject({ code, retry: 'again', does: 'new-token' });
    expect(refusal.sentence).toContain(said);
    expect(refusal.sentence.length).toBeLessThanOrEqual(300);
  });

  it.each(['', 'yesterday'])('blame clock and key when Apple names no time: %p', (date) => {
    const { refusal } = findRefusal('read', { status: 401, headers: { date }, text: '' });
    expect(refusal.sentence).toContain("Check this server's clock and the key");
  });

  it('survive whatever comes instead of errors', () => {
    const deep = '{"errors":'.repeat(3000);
    const nested = { meta: { associatedErrors: { a: [{ meta: { associatedErrors: 7 } }] } } };
    for (const text of [
      '',
      '{',
      'null',
      '[]',
      '{"errors": {}}',
      '{"errors": [7, null, []]}',
      deep,
      JSON.stringify({ errors: [nested] }),
    ]) {
      expect(refuse('read', 409, text).refusal.code).toBe('store_refused');
    }
    expect(refuse('read', 502, '<html><b>Bad gateway</b></html>').storeMessage).toBe('Bad gateway');
    expect(refuse('read', 302, '').refusal.code).toBe('store_answer_unusable');
    const many = Array.from({ length: 5000 }, (_, index) => ({ code: `E${index}`, detail: 'x'.repeat(900) }));
    expect(refuse('read', 409, many).storeMessage?.length).toBeLessThan(3100);
  });

  it('show no e-mail addresses and tokens', () => {
    const { storeMessage } = refuse('app', 403, [
      { code: 'X', detail: 'jane@example.com used eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJ4In0.c2lnbmF0dXJl' },
    ]);
    expect(storeMessage).toBe('*** used *** (X)');
  });
});

const UPLOADS: readonly [codes: readonly string[], said: string, code: string][] = [
  [['90189'], 'Redundant Binary Upload.', 'build_number_used'],
  [['90062'], 'This bundle is invalid.', 'version_closed'],
  [['90186', '90062'], 'Invalid Pre-Release Train.', 'version_closed'],
  [['90478'], 'Invalid Version.', 'version_closed'],
  [['90054', '90055'], 'The bundle identifier cannot be changed.', 'bundle_id_differs'],
  [['90725'], 'SDK version issue.', 'sdk_too_old'],
  [
    ['90683'],
    'Missing purpose string: NSCameraUsageDescription, NSPhotoLibraryUsageDescription.',
    'purpose_string_missing',
  ],
  [['90034'], 'Missing or invalid signature.', 'signature_invalid'],
  [['90035'], 'Invalid Signature.', 'signature_invalid'],
  [['90161'], 'Invalid Provisioning Profile.', 'profile_invalid'],
  [['90174'], 'Missing Provisioning Profile.', 'profile_invalid'],
  [['90473'], 'CFBundleVersion Mismatch.', 'version_differs'],
];

describe('errors of a failed upload', () => {
  it.each(UPLOADS)('%j %s: %s', (codes, description, code) => {
    const { refusal, storeMessage } = uploadRefusal(codes.map((one) => ({ code: one, description })));
    expect(refusal).toMatchObject({ code, retry: 'never' });
    expect(refusal.sentence).not.toContain('more problem');
    expect(refusal.sentence.length).toBeLessThanOrEqual(300);
    expect(storeMessage).toContain(`${description} (${codes.at(-1)})`);
  });

  it('name the keys of missing purpose strings', () => {
    const description = 'should contain a NSCameraUsageDescription key, and NSMicrophoneUsageDescription';
    const { refusal } = uploadRefusal([{ code: '90683', description }]);
    expect(refusal.sentence).toContain('Add NSCameraUsageDescription and NSMicrophoneUsageDescription with');
    const long = uploadRefusal([
      { code: '90683', description: `NS${'x'.repeat(60)}UsageDescription`.repeat(50) },
    ]);
    expect(long.refusal.sentence.length).toBeLessThanOrEqual(300);
  });

  it('are found by a code in the text, and counted', () => {
    const { refusal } = uploadRefusal([
      { code: null, description: 'ITMS-91053: Missing API declaration.' },
      { code: 'ITMS-90683', description: 'Missing purpose string in Info.plist.' },
      { code: 'STATE', description: 'ERROR ITMS-90725: SDK version issue.' },
    ]);
    expect(refusal.code).toBe('sdk_too_old');
    expect(refusal.sentence).toContain('Apple names 2 more problems');
  });

  it('may be unknown, or none', () => {
    const unknown = uploadRefusal([{ code: '90999', description: 'New rule.' }]);
    expect(unknown.refusal).toMatchObject({ code: 'build_refused', retry: 'never' });
    expect(unknown.refusal.sentence).toContain('(90999)');
    expect(unknown.storeMessage).toBe('New rule. (90999)');
    const none = uploadRefusal([]);
    expect(none.refusal.code).toBe('build_refused');
    expect(none.storeMessage).toBeNull();
  });
});

it('quotes what Apple says about an upload', () => {
  expect(lineOf({ code: '90683', description: 'Missing purpose string' })).toBe(
    '90683: Missing purpose string',
  );
  expect(lineOf({ code: null, description: null })).toBe('no words');
});
