import type { AppVersion } from '../api/app-store-resources.js';
import {
  lookOfBuild,
  lookOfNothing,
  lookOfVersion,
  type TestFlightFacts,
  type VersionFacts,
} from './release-looks.js';

const facts: VersionFacts = {
  appleAppId: '12',
  platform: 'ios',
  buildId: 'b-1',
  releaseType: 'manual',
  earliestReleaseAt: null,
  known: null,
};
const versionIn = (state: string | null, more: Partial<AppVersion> = {}): AppVersion => ({
  id: 'v-1',
  versionString: '1.2',
  state,
  releaseType: 'MANUAL',
  earliestReleaseDate: null,
  buildId: 'b-1',
  phasedRelease: null,
  ...more,
});
const phased = (state: string, dayNumber: number | null) =>
  versionIn('READY_FOR_DISTRIBUTION', { phasedRelease: { id: 'p-1', state, dayNumber } });

describe('where a version of the App Store is', () => {
  it.each([
    ['PREPARE_FOR_SUBMISSION', 'not_sent_for_review', 'Submit the build again'],
    ['READY_FOR_REVIEW', 'not_sent_for_review', 'send it for review there'],
    ['DEVELOPER_REJECTED', 'withdrawn', 'Submit the build again'],
    ['WAITING_FOR_REVIEW', 'waiting_for_review', 'waits for the review'],
    ['WAITING_FOR_EXPORT_COMPLIANCE', 'waiting_for_review', 'encryption'],
    ['IN_REVIEW', 'in_review', 'reviewing'],
    ['REJECTED', 'rejected', 'Read why in App Store Connect'],
    ['METADATA_REJECTED', 'rejected', 'Correct them in App Store Connect'],
    ['INVALID_BINARY', 'rejected', 'raise CFBundleVersion'],
    ['ACCEPTED', 'approved', 'settle the rest there'],
    ['PENDING_APPLE_RELEASE', 'approved', 'Apple releases it'],
    ['PENDING_DEVELOPER_RELEASE', 'approved', 'It waits for you: release it with POST'],
    ['PROCESSING_FOR_DISTRIBUTION', 'approved', 'Approved and released'],
    ['READY_FOR_DISTRIBUTION', 'released', 'All users get it'],
    ['REPLACED_WITH_NEW_VERSION', 'replaced', 'A newer version'],
  ] as const)('%s: %s', (state, status, said) => {
    const look = lookOfVersion(versionIn(state), facts);
    expect(look).toMatchObject({ status, storeStatus: state });
    expect(look.message).toContain(said);
    expect(look.message.length).toBeLessThanOrEqual(300);
    const isLive = status === 'released' || status === 'replaced';
    expect(look.link).toBe(
      `https://appstoreconnect.apple.com/apps/12/distribution/ios/version/${isLive ? 'deliverable' : 'inflight'}`,
    );
  });

  it('is withdrawn when Apple shows one as never sent that was in review', () => {
    for (const status of ['waiting_for_review', 'in_review', 'withdrawn'] as const)
      expect(
        lookOfVersion(versionIn('PREPARE_FOR_SUBMISSION'), { ...facts, known: { status } }),
      ).toMatchObject({
        status: 'withdrawn',
      });
  });

  it('says when an approved version goes live', () => {
    const pending = versionIn('PENDING_DEVELOPER_RELEASE');
    const date = new Date('2026-12-01T18:00:00Z');
    const scheduled = { ...facts, releaseType: 'scheduled', earliestReleaseAt: date } as const;
    expect(lookOfVersion(pending, scheduled).message).toContain('It goes live at 2026-12-01 18:00 UTC');
    expect(lookOfVersion(pending, { ...facts, releaseType: 'after-approval' }).message).toBe(
      'Approved. Apple releases it by itself.',
    );
  });

  it.each([
    [1, 0.01],
    [2, 0.02],
    [3, 0.05],
    [4, 0.1],
    [5, 0.2],
    [6, 0.5],
    [7, 1],
    [9, 1],
    [null, 0.01],
  ])('has on day %p the share %d', (day, share) => {
    expect(lookOfVersion(phased('ACTIVE', day), facts)).toMatchObject({
      status: 'rolling_out',
      userFraction: share,
      resumeFraction: null,
    });
    expect(lookOfVersion(phased('PAUSED', day), facts)).toMatchObject({
      status: 'paused',
      userFraction: 0,
      resumeFraction: share,
    });
  });

  it('is live on the first day of a phased release, and after its last one', () => {
    expect(lookOfVersion(phased('INACTIVE', null), facts)).toMatchObject({
      status: 'rolling_out',
      userFraction: 0.01,
    });
    expect(lookOfVersion(phased('COMPLETE', 7), facts)).toMatchObject({
      status: 'released',
      userFraction: 1,
    });
  });

  it.each([
    [null, 'replaced'],
    ['in_review', 'withdrawn'],
    ['approved', 'withdrawn'],
    ['rejected', 'rejected'],
    ['released', 'replaced'],
  ] as const)('that was %p and whose version has another build is %s', (status, expected) => {
    const known = status === null ? null : { status };
    const look = lookOfVersion(versionIn('WAITING_FOR_REVIEW', { buildId: 'b-2' }), { ...facts, known });
    expect(look).toMatchObject({ status: expected, storeStatus: null });
    expect(look.message).toContain('another build');
  });

  it('is not sent when its version has no build', () => {
    expect(lookOfVersion(versionIn('PREPARE_FOR_SUBMISSION', { buildId: null }), facts).status).toBe(
      'not_sent_for_review',
    );
  });

  it('stays what it was in a state that is not known', () => {
    const look = lookOfVersion(versionIn('X'.repeat(500)), { ...facts, known: { status: 'in_review' } });
    expect(look.status).toBe('in_review');
    expect(look.message.length).toBeLessThanOrEqual(150);
    expect(lookOfNothing(facts)).toMatchObject({ status: 'removed', storeStatus: null });
  });
});

describe('where a build in TestFlight is', () => {
  const build: TestFlightFacts = { appleAppId: '12', platform: 'ios', hasExternalGroups: true, known: null };

  it.each([
    ['READY_FOR_BETA_SUBMISSION', 'not_sent_for_review'],
    ['WAITING_FOR_BETA_REVIEW', 'waiting_for_review'],
    ['IN_BETA_REVIEW', 'in_review'],
    ['BETA_REJECTED', 'rejected'],
    ['BETA_APPROVED', 'testing'],
    ['IN_BETA_TESTING', 'testing'],
    ['READY_FOR_BETA_TESTING', 'testing'],
    ['EXPIRED', 'removed'],
    ['SOMETHING_NEW', 'testing'],
  ])('%s: %s', (externalState, status) => {
    const look = lookOfBuild({ internalState: 'IN_BETA_TESTING', externalState }, build);
    expect(look).toMatchObject({ status, storeStatus: externalState });
  });

  it('is what internal testers see, unless there are others', () => {
    const detail = { internalState: 'IN_BETA_TESTING', externalState: 'READY_FOR_BETA_SUBMISSION' };
    expect(lookOfBuild(detail, { ...build, hasExternalGroups: false }).status).toBe('testing');
  });
});
