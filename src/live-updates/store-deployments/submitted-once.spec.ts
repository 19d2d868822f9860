import { type EarlierSubmission, requireNotSubmitted } from './submitted-once.js';

const play = { type: 'google-play', versionName: '1.4.0', versionCode: '42', sha256: 'aa' } as const;
const apple = { ...play, type: 'apple-app-store-connect' } as const;
const earlier = (values: Partial<EarlierSubmission> = {}): EarlierSubmission => ({
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  action: 'submit',
  state: 'prepared',
  versionName: '1.4.0',
  sha256: 'aa',
  releaseStatus: 'released',
  ...values,
});

it.each(['prepared', 'failed_with_action_required', 'finished_manually'] as const)(
  'a version that is %s was submitted',
  (state) => {
    const check = () => requireNotSubmitted(play, [earlier({ state: 'failed' }), earlier({ state })]);
    expect(check).toThrow(
      'The version 42 was submitted to this destination before, by the deployment 01890a5d-ac96-774b-bcce-b302099a8057: set force to true to submit it again.',
    );
  },
);

it.each(['released', 'rolling_out', 'halted', 'approved', 'in_review', 'draft', 'replaced', null] as const)(
  'a release that is %s counts',
  (releaseStatus) => {
    expect(() => requireNotSubmitted(play, [earlier({ releaseStatus })])).toThrow('was submitted');
  },
);

it.each(['rejected', 'withdrawn', 'removed'] as const)(
  'a release that was %s does not count',
  (releaseStatus) => {
    expect(() => requireNotSubmitted(play, [earlier({ releaseStatus })])).not.toThrow();
  },
);

it('failed submissions and promotions do not count', () => {
  const others = [earlier({ state: 'failed', releaseStatus: null }), earlier({ action: 'promote' })];
  expect(() => requireNotSubmitted(play, others)).not.toThrow();
});

it('the name of a version counts for Apple alone', () => {
  const other = [earlier({ versionName: '1.3.0' })];
  expect(() => requireNotSubmitted(apple, other)).not.toThrow();
  expect(() => requireNotSubmitted(play, other)).toThrow('The version 42 was submitted');
  expect(() => requireNotSubmitted(apple, [earlier()])).toThrow('The version 1.4.0 (42) was submitted');
});

it.each(['created', 'preprocessing', 'preparing'] as const)('a version that is %s may fail yet', (state) => {
  expect(() => requireNotSubmitted(play, [earlier({ state, releaseStatus: null })])).not.toThrow();
});

it('another file with the version needs a higher one', () => {
  const other = [earlier({ sha256: 'bb' })];
  expect(() => requireNotSubmitted(play, other)).toThrow(
    /with another file, .* Raise versionCode, build again/,
  );
  expect(() => requireNotSubmitted(apple, other)).toThrow(/Raise CFBundleVersion, build again/);
});
