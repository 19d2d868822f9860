import type { Release } from '../../support/stores/google-play/publisher/play-state.js';
import { type GooglePlay, startGooglePlay } from '../../support/stores/google-play/google-play.js';
import { PlayCaller, type PlayResponse } from '../../support/stores/google-play/play-caller.js';
import type { ServiceAccountKey } from '../../support/stores/google-play/service-accounts.js';

const PACKAGE = 'com.example.app';

let play: GooglePlay;
let key: ServiceAccountKey;
let caller: PlayCaller;

beforeAll(async () => {
  play = await startGooglePlay();
  key = play.addServiceAccount({ packages: [PACKAGE] });
});
afterAll(() => play.stop());

const OLDER: Release = { status: 'completed', versionCodes: ['41'], lifecycle: 'PUBLISHED' };
const release = (
  status: Release['status'],
  userFraction?: number,
  values: Partial<Release> = {},
): Release => ({
  status,
  versionCodes: ['42'],
  ...(userFraction !== undefined && { userFraction }),
  ...values,
});

/** An app whose track `production` has these releases. */
async function start(releases: readonly Release[], values: object = {}): Promise<void> {
  await play.clear();
  const artifacts = [41, 42, 43].map((versionCode) => ({
    kind: 'aab' as const,
    versionCode,
    sha1: '',
    sha256: '',
  }));
  play.addApp({ tracks: { production: releases }, artifacts, ...values });
  caller = await PlayCaller.of(play, key);
}

/** Sends releases in an edit of its own, and commits it. @returns the response that refuses it, or the last one */
async function send(releases: readonly object[], query = ''): Promise<PlayResponse> {
  const { body: edit } = await caller.call('POST', 'edits');
  const updated = await caller.call('PUT', `edits/${edit.id}/tracks/production`, {
    track: 'production',
    releases,
  });
  return updated.status === 200 ? caller.call('POST', `edits/${edit.id}:commit${query}`) : updated;
}

const history = (): string[] => play.historyOf(PACKAGE, 'production');
const shown = async (): Promise<string[]> =>
  (await caller.call('GET', 'tracks/production/releases')).body.releases.map(
    ({ activeArtifacts, releaseLifecycleState }) =>
      `${activeArtifacts[0]?.versionCode} ${releaseLifecycleState.replace('RELEASE_LIFECYCLE_STATE_', '')}`,
  );

test('a rollout grows, is halted, resumes and is completed in place of the release before', async () => {
  await start([OLDER]);
  for (const one of [
    release('inProgress', 0.2),
    release('inProgress', 0.5),
    release('halted', 0.5),
    release('inProgress', 0.5),
    release('completed'),
  ]) {
    expect((await send([one])).status).toBe(200);
  }
  expect(history()).toEqual([
    '41 completed',
    '42 inProgress 0.2, 41 completed',
    '42 inProgress 0.5, 41 completed',
    '42 halted 0.5, 41 completed',
    '42 inProgress 0.5, 41 completed',
    '42 completed',
  ]);
});

test.each([
  ['grows down', release('inProgress', 0.5), release('inProgress', 0.4)],
  ['is halted with less', release('inProgress', 0.5), release('halted', 0.4)],
  ['resumes with less', release('halted', 0.5), release('inProgress', 0.4)],
])('no rollout %s', async (_, before, after) => {
  await start([before, OLDER]);
  expect(await send([after])).toMatchObject({
    status: 400,
    body: { error: { message: 'The user fraction of a staged release cannot be decreased.' } },
  });
  expect(history()).toHaveLength(1);
});

test.each([
  [
    'a release for all users cannot be staged',
    [release('completed')],
    [release('inProgress', 0.5)],
    'Fully released',
  ],
  [
    'the first release of a track cannot be staged',
    [],
    [release('inProgress', 0.5)],
    'first release on a track',
  ],
  [
    'two releases cannot be staged',
    [OLDER],
    [release('inProgress', 0.5), release('inProgress', 0.1, { versionCodes: ['43'] })],
    'Too many staged',
  ],
  [
    'countries are for staged releases',
    [OLDER],
    [release('completed', undefined, { countryTargeting: { countries: ['DE'] } })],
    'Country targeting is only supported for staged',
  ],
])('%s', async (_, before, after, message) => {
  await start(before);
  const { status, body } = await send(after);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)]);
});

test('a track without countries takes no release', async () => {
  await start([OLDER], { tracksWithoutCountries: ['production'] });
  const { status, body } = await send([release('inProgress', 0.5)]);
  expect([status, body.error.message]).toEqual([403, 'Release in track targeting no countries.']);
});

test('what is sent back as it was read is no new release', async () => {
  await start([release('inProgress', 0.2), { ...OLDER, name: '1.3' }]);
  const { body: edit } = await caller.call('POST', 'edits');
  const { body: track } = await caller.call('GET', `edits/${edit.id}/tracks/production`);
  const [first, ...others] = track.releases as unknown as object[];
  await caller.call('PUT', `edits/${edit.id}/tracks/production`, {
    track: 'production',
    releases: [{ ...first, userFraction: 0.3 }, ...others],
  });
  expect((await caller.call('POST', `edits/${edit.id}:commit`)).status).toBe(200);
  expect(play.committed.map(({ release: { versionCodes } }) => versionCodes)).toEqual([['42']]);
});

test('a review goes on until it ends; then managed publishing waits for a person', async () => {
  await start([OLDER], { hasReviews: true, hasManagedPublishing: true });
  expect((await send([release('inProgress', 0.2)])).status).toBe(200);
  expect(await shown()).toEqual(['42 IN_REVIEW', '41 PUBLISHED']);
  const { body } = await send([release('inProgress', 0.5)], '?changesInReviewBehavior=ERROR_IF_IN_REVIEW');
  expect(body.error.details[0]?.reason).toBe('CHANGES_ALREADY_IN_REVIEW');
  play.finishReview(PACKAGE, 'approved');
  expect(await shown()).toEqual(['42 APPROVED_NOT_PUBLISHED', '41 PUBLISHED']);
  play.publish(PACKAGE);
  expect(await shown()).toEqual(['42 PUBLISHED', '41 PUBLISHED']);
  // Another share needs no other review.
  expect((await send([release('inProgress', 0.5)])).status).toBe(200);
  expect(await shown()).toEqual(['42 PUBLISHED', '41 PUBLISHED']);
});

test('after a rejection, what is committed waits until a person sends it for review', async () => {
  await start([OLDER], { hasReviews: true });
  await send([release('inProgress', 0.2)]);
  play.finishReview(PACKAGE, 'rejected');
  expect(await shown()).toEqual(['42 NOT_APPROVED', '41 PUBLISHED']);
  const next = release('inProgress', 0.2, { versionCodes: ['43'] });
  expect((await send([next])).body.error.message).toContain('changesNotSentForReview to true');
  expect((await send([next], '?changesNotSentForReview=true')).status).toBe(200);
  expect(await shown()).toEqual(['43 NOT_SENT_FOR_REVIEW', '41 PUBLISHED']);
  play.publish(PACKAGE);
  expect(await shown()).toEqual(['43 IN_REVIEW', '41 PUBLISHED']);
});

test('a person changes a track in the Play Console, which ends edits', async () => {
  await start([release('inProgress', 0.2), OLDER]);
  const { body: edit } = await caller.call('POST', 'edits');
  play.setTrack(PACKAGE, 'production', [release('inProgress', 0.6), OLDER]);
  expect((await caller.call('GET', `edits/${edit.id}/tracks/production`)).body.error.message).toBe(
    'This Edit has been deleted.',
  );
  expect(history()).toEqual(['42 inProgress 0.2, 41 completed', '42 inProgress 0.6, 41 completed']);
});
