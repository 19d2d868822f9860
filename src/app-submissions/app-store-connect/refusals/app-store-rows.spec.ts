import { REVIEW_ROWS, REVIEW_STATE_ROWS, ROLLOUT_ROWS, VERSION_ROWS } from './app-store-rows.js';
import type { AppleCall } from './apple-refusal-row.js';
import { findRefusal } from './find-refusal.js';
import { REVIEW_NEEDS } from './review-needs.js';

interface Said {
  readonly code: string;
  readonly title?: string;
  readonly detail?: string;
  readonly source?: object;
  readonly meta?: object;
}

/** An answer as Apple gives it. */
const refuse = (call: AppleCall, status: number, errors: readonly Said[]) =>
  findRefusal(call, { status, headers: {}, text: JSON.stringify({ errors }) });

const attribute = (name: string) => ({ source: { pointer: `/data/attributes/${name}` } });
const relationship = (name: string) => ({ source: { pointer: `/data/relationships/${name}` } });
const INVALID = 'ENTITY_ERROR.ATTRIBUTE.INVALID';
const REQUIRED = 'ENTITY_ERROR.ATTRIBUTE.REQUIRED';

const ROWS: readonly [AppleCall, number, Said, string][] = [
  ['create-version', 409, { code: `${INVALID}.DUPLICATE`, ...attribute('versionString') }, 'version_used'],
  [
    'create-version',
    409,
    {
      code: 'ENTITY_ERROR.RELATIONSHIP.INVALID',
      detail: 'You cannot create a new version of the App in the current state.',
      ...relationship('app'),
    },
    'version_open',
  ],
  ['create-version', 409, { code: 'STATE_ERROR', detail: 'Not in the current state.' }, 'version_open'],
  ['edit-version', 409, { code: INVALID, ...attribute('earliestReleaseDate') }, 'release_date_refused'],
  ['edit-version', 409, { code: `${INVALID}.INVALID_STATE`, ...attribute('releaseType') }, 'version_locked'],
  ['edit-version', 409, { code: 'STATE_ERROR', detail: 'It can not be modified.' }, 'version_locked'],
  [
    'attach-build',
    409,
    {
      code: 'ENTITY_ERROR.RELATIONSHIP.INVALID',
      detail: 'The specified pre-release build could not be added.',
      ...relationship('build'),
    },
    'build_not_attachable',
  ],
  [
    'whats-new',
    409,
    { code: 'STATE_ERROR', detail: "Attribute 'whatsNew' cannot be edited at this time" },
    'whats_new_locked',
  ],
  ['whats-new', 409, { code: `${INVALID}.TOO_LONG`, ...attribute('whatsNew') }, 'whats_new_too_long'],
  [
    'whats-new',
    409,
    { code: `${INVALID}.INVALID_CHARACTERS`, ...attribute('whatsNew') },
    'whats_new_characters',
  ],
  ['phased-release', 409, { code: INVALID, detail: 'It already has this value.' }, 'phased_release_same'],
  ['phased-release', 409, { code: 'STATE_ERROR', detail: 'It is in a final state.' }, 'phased_release_ended'],
  ['phased-release', 404, { code: 'NOT_FOUND' }, 'phased_release_missing'],
  ['phased-release', 409, { code: 'STATE_ERROR', detail: 'Not now.' }, 'phased_release_refused'],
  ['release-version', 409, { code: 'STATE_ERROR', detail: 'Not now.' }, 'release_refused'],
  [
    'create-review',
    409,
    { code: 'STATE_ERROR', detail: 'There is another reviewSubmission with id 7 still in progress.' },
    'review_in_progress',
  ],
  ['add-item', 409, { code: 'STATE_ERROR.ITEM_PART_OF_ANOTHER_SUBMISSION' }, 'item_in_other_review'],
  [
    'add-item',
    409,
    {
      code: 'ENTITY_ERROR.RELATIONSHIP.INVALID',
      detail: 'appStoreVersions with id 1 was already added to another reviewSubmission with id 2.',
    },
    'item_in_other_review',
  ],
  ['add-item', 409, { code: 'ENTITY_ERROR.RELATIONSHIP.INVALID.NOT_ALLOWED' }, 'item_in_review'],
  ['remove-item', 404, { code: 'NOT_FOUND' }, 'item_removed'],
  [
    'submit-review',
    409,
    { code: 'STATE_ERROR', detail: 'The review submission is not ready to be submitted yet.' },
    'review_not_ready',
  ],
  [
    'submit-review',
    409,
    { code: 'STATE_ERROR', detail: 'Attachment uploads still in progress.' },
    'review_not_ready',
  ],
  ['submit-review', 404, { code: 'NOT_FOUND' }, 'review_not_ready'],
  [
    'cancel-review',
    409,
    { code: 'STATE_ERROR', detail: 'Resource is not in cancellable state.' },
    'review_not_cancelable',
  ],
  [
    'add-item',
    409,
    { code: 'STATE_ERROR.ENTITY_STATE_INVALID', detail: 'Please check associated errors to see why.' },
    'review_incomplete',
  ],
];

describe('refusals of the App Store', () => {
  it.each(ROWS)('%s, status %i, %j: %s', (call, status, error, code) => {
    const { refusal, storeMessage } = refuse(call, status, [error]);
    expect(refusal.code).toBe(code);
    expect(storeMessage).toContain(error.detail ?? error.code);
  });

  it('have a test for each row', () => {
    const tested = new Set(ROWS.map(([, , , code]) => code));
    for (const { code } of [...VERSION_ROWS, ...ROLLOUT_ROWS, ...REVIEW_ROWS, ...REVIEW_STATE_ROWS])
      expect(tested).toContain(code);
  });
});

/** What a version lacks: where the error is, what it says, and what has to be done. */
const NEEDS: readonly [path: string, Said, string][] = [
  [
    '/v1/appDataUsages/',
    { code: 'STATE_ERROR.APP_DATA_USAGES_REQUIRED', detail: 'Answer what data the app collects.' },
    'publish App Privacy (Apple has no API for it)',
  ],
  [
    '/v1/appScreenshotSets/',
    { code: 'STATE_ERROR.SCREENSHOT_REQUIRED.APP_IPHONE_67', detail: 'A screenshot is required.' },
    'add screenshots for APP_IPHONE_67',
  ],
  [
    '/v1/ageRatingDeclarations/7',
    { code: REQUIRED, ...attribute('gamblingAndContests') },
    'answer the questions on the age rating',
  ],
  ['/v1/apps/1', { code: 'STATE_ERROR.APP_PRICING_REQUIRED' }, 'set a price'],
  [
    '/v1/appStoreReviewDetails/2',
    { code: REQUIRED, ...attribute('contactPhone') },
    'fill in the contact for the review (contactPhone)',
  ],
  [
    '/v1/builds/8',
    { code: REQUIRED, ...attribute('usesNonExemptEncryption') },
    'answer the question on encryption under TestFlight',
  ],
  [
    '/v1/appInfos/3',
    { code: 'ENTITY_ERROR.RELATIONSHIP.REQUIRED', ...relationship('primaryCategory') },
    'choose a primary category',
  ],
  [
    '/v1/appStoreVersionLocalizations/4',
    { code: REQUIRED, ...attribute('whatsNew') },
    "give release notes for What's New of each language",
  ],
  [
    '/v1/appStoreVersionLocalizations/4',
    {
      code: REQUIRED,
      detail: "You must provide a value for the attribute 'supportUrl' with this request",
    },
    'fill in supportUrl',
  ],
];

const umbrella = (associatedErrors: Record<string, readonly Said[]>): Said => ({
  code: 'STATE_ERROR.ENTITY_STATE_INVALID',
  title: 'appStoreVersions with id 1 is not in valid state.',
  detail: 'This resource cannot be reviewed, please check associated errors to see why.',
  meta: { associatedErrors },
});

describe('what a version lacks for the review', () => {
  it.each(NEEDS)('%s %j: %s', (path, error, act) => {
    const { refusal } = refuse('add-item', 409, [umbrella({ [path]: [error] })]);
    expect(refusal).toMatchObject({ code: 'review_incomplete', retry: 'after-action' });
    expect(refusal.sentence).toBe(
      `The version is not complete. In App Store Connect, ${act}. Then submit this build again: nothing is uploaded twice.`,
    );
  });

  it('has a test for each row', () => {
    expect(new Set(NEEDS.map(([, , act]) => act)).size).toBe(REVIEW_NEEDS.length);
  });

  it('is in one sentence, with the members of each kind', () => {
    const localizations = ['description', 'keywords'].map((name) => ({ code: REQUIRED, ...attribute(name) }));
    const { refusal, storeMessage } = refuse('submit-review', 409, [
      umbrella({
        '/v1/appStoreVersionLocalizations/1': localizations,
        '/v1/appStoreVersionLocalizations/2': localizations,
        '/v1/apps/1': [{ code: 'STATE_ERROR.APP_PRICING_REQUIRED' }],
      }),
    ]);
    expect(refusal.sentence).toContain('fill in description, keywords; set a price.');
    expect(storeMessage).toContain('at /data/attributes/keywords');
  });

  it('is as long as a sentence can be, and counts the rest', () => {
    const all = Object.fromEntries(NEEDS.map(([path, error], index) => [`${path}${index}`, [error]]));
    const { refusal } = refuse('add-item', 409, [umbrella({ ...all, '/v1/x': [{ code: 'UNKNOWN' }] })]);
    expect(refusal.sentence.length).toBeLessThanOrEqual(255);
    expect(refusal.sentence).toMatch(/; and \d+ more, which the log has\./);
    const long = umbrella({
      '/v1/x': Array.from({ length: 60 }, (_, index) => ({
        code: `STATE_ERROR.SCREENSHOT_REQUIRED.${'X'.repeat(30)}${index}`,
      })),
    });
    expect(refuse('add-item', 409, [long]).refusal.sentence.length).toBeLessThanOrEqual(255);
  });

  it('is no matter of other calls', () => {
    const { refusal } = refuse('create-version', 409, [{ code: REQUIRED, ...attribute('versionString') }]);
    expect(refusal.code).toBe('store_refused');
  });
});
