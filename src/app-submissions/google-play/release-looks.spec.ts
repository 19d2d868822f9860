import type { ReleaseLook } from '../releases/release-look.js';
import type { ReleaseSummary } from './api/google-play-responses.js';
import { lookOf, shareOf } from './release-looks.js';

const submission = { versionCode: '42', track: 'production', releaseStatus: 'completed' as const };
const ALL = { userFraction: 1, resumeFraction: null };
const shown = (state: string | null, ...versionCodes: number[]): ReleaseSummary => ({
  name: null,
  state,
  versionCodes,
});
const known: ReleaseLook = {
  status: 'rolling_out',
  userFraction: 0.2,
  resumeFraction: null,
  message: 'Before.',
  storeStatus: 'PUBLISHED',
  link: null,
};

it.each([
  ['DRAFT', 'draft', 'finish it in the Play Console'],
  ['NOT_SENT_FOR_REVIEW', 'not_sent_for_review', 'under "Publishing overview"'],
  ['IN_REVIEW', 'in_review', 'Google Play reviews the release.'],
  ['NOT_APPROVED', 'rejected', 'submit a build with a higher version code'],
  ['APPROVED_NOT_PUBLISHED', 'approved', 'publish it in the Play Console'],
  ['PUBLISHED', 'released', 'All users of the track production get the release.'],
])('a release that is %s is %s', (state, status, sentence) => {
  const look = lookOf(submission, [shown(state, 41, 42)], ALL, null);
  expect(look).toMatchObject({ status, storeStatus: state, userFraction: 1 });
  expect(look.message).toContain(sentence);
});

it.each([
  [0.2, null, 'rolling_out', '20 % of the users of the track production get the release.'],
  [0, 0.2, 'halted', 'The rollout is halted at 20 %'],
  [0, null, 'halted', 'The rollout is halted: no further users'],
  [null, null, 'released', 'The Play Console shows how many users get it.'],
])(
  'a published release of which the share %s is known is so',
  (userFraction, resumeFraction, status, sentence) => {
    const look = lookOf(submission, [shown('PUBLISHED', 42)], { userFraction, resumeFraction }, null);
    expect(look).toMatchObject({ status, userFraction, resumeFraction });
    expect(look.message).toContain(sentence);
  },
);

it('keeps the status when it does not know the state', () => {
  for (const state of ['ON_HOLD', null, 'constructor']) {
    const look = lookOf(submission, [shown(state, 42)], ALL, known);
    expect(look).toMatchObject({ status: 'rolling_out', storeStatus: state });
    expect(look.message).toContain('which Slipway does not know');
  }
});

it('is replaced by a higher version that is published, and removed otherwise', () => {
  const look = (...releases: ReleaseSummary[]) => lookOf(submission, releases, ALL, known);
  expect(look(shown('PUBLISHED', 43))).toMatchObject({
    status: 'replaced',
    message: 'The track production has the version code 43 now.',
  });
  expect(look(shown('PUBLISHED', 41)).status).toBe('removed');
  expect(look().status).toBe('removed');
  // The higher version may still be rejected.
  expect(look(shown('IN_REVIEW', 43)).status).toBe('rolling_out');
});

it('a submission gives its share, and a draft none', () => {
  expect(shareOf({ releaseStatus: 'completed', userFraction: 0.2 })).toEqual({
    userFraction: 0.2,
    resumeFraction: null,
  });
  expect(shareOf({ releaseStatus: 'draft', userFraction: 0.2 }).userFraction).toBeNull();
});
