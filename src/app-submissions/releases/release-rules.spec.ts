import { AppError } from '../../common/errors/app-error.js';
import { type ChangedRelease, requireChangeable, type WantedChange } from './release-rules.js';
import { type ReleaseStatus, releaseStatuses } from './store-release.entity.js';

const play: Omit<ChangedRelease, 'status'> = {
  type: 'google-play',
  submitsForReview: false,
  isPhased: false,
  appleReleaseType: null,
  storeStatus: null,
  userFraction: 0.2,
  resumeFraction: null,
};
const appStore = {
  ...play,
  type: 'apple-app-store-connect' as const,
  submitsForReview: true,
  isPhased: true,
  appleReleaseType: 'manual' as const,
};
const testFlight = { ...appStore, submitsForReview: false, isPhased: false };

const share = (userFraction: number): WantedChange => ({ action: 'set-rollout', userFraction });
const release: WantedChange = { action: 'release' };
const withdraw: WantedChange = { action: 'withdraw' };

/** `yes`, `no change`, or the status of the refusal. */
function outcomeOf(facts: ChangedRelease, change: WantedChange): string {
  try {
    return requireChangeable(facts, change) ? 'yes' : 'no change';
  } catch (error) {
    if (error instanceof AppError) return String(error.status);
    throw error;
  }
}

function sentenceOf(facts: ChangedRelease, change: WantedChange): string {
  try {
    requireChangeable(facts, change);
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
  return '';
}

/** The outcome in each status; all others have `rest`. */
function inEach(
  facts: Omit<ChangedRelease, 'status'>,
  change: WantedChange,
): Partial<Record<ReleaseStatus, string>> & { rest: string } {
  const all = releaseStatuses.map((status) => [status, outcomeOf({ ...facts, status }, change)] as const);
  const rest = all.find(([status]) => status === 'removed')?.[1] ?? '';
  return { rest, ...Object.fromEntries(all.filter(([, outcome]) => outcome !== rest)) };
}

describe('the share of a release of Google Play', () => {
  it('changes while it is staged, or halted', () => {
    expect(inEach(play, share(0.5))).toEqual({ rest: '409', rolling_out: 'yes', halted: 'yes' });
    expect(inEach(play, share(1))).toEqual({
      rest: '409',
      rolling_out: 'yes',
      halted: 'yes',
      released: 'no change',
    });
    expect(inEach(play, share(0))).toEqual({ rest: '409', rolling_out: 'yes', halted: 'no change' });
  });

  it.each([
    [0.2, 'no change'],
    [0.2001, 'yes'],
    [0.1999, '400'],
    [0.0001, '400'],
    [0, 'yes'],
    [1, 'yes'],
  ])('only grows: from 0.2, %d is: %s', (wanted, outcome) => {
    expect(outcomeOf({ ...play, status: 'rolling_out' }, share(wanted))).toBe(outcome);
  });

  it.each([
    [0, 'no change'],
    [0.1, '400'],
    [0.2, 'yes'],
    [0.5, 'yes'],
    [1, 'yes'],
  ])('after a halt at 0.2, %d is: %s', (wanted, outcome) => {
    const halted = { ...play, status: 'halted' as const, userFraction: 0, resumeFraction: 0.2 };
    expect(outcomeOf(halted, share(wanted))).toBe(outcome);
  });

  it('can be anything while it is unknown, since the store knows', () => {
    const unknown = { ...play, status: 'rolling_out' as const, userFraction: null };
    expect([0, 0.01, 1].map((wanted) => outcomeOf(unknown, share(wanted)))).toEqual(['yes', 'yes', 'yes']);
  });

  it('can be anything after a person has finished a draft', () => {
    const finished = { ...play, status: 'released' as const, userFraction: null };
    expect([0, 0.01, 1].map((wanted) => outcomeOf(finished, share(wanted)))).toEqual(['yes', 'yes', 'yes']);
  });

  it('has a refusal that says what to do', () => {
    expect(sentenceOf({ ...play, status: 'in_review' }, share(0.5))).toBe(
      'The share of the release cannot be changed: it is in review. Google changes no share during a review, so wait for it.',
    );
    expect(sentenceOf({ ...play, status: 'rolling_out' }, share(0.1))).toBe(
      'rolloutPercentage must be above 0.2 (20 % of the users have the release), or 0 to halt it: Google Play takes it from no user.',
    );
  });
});

describe('the share of a version of the App Store', () => {
  it('changes during a phased release only', () => {
    expect(inEach(appStore, share(1))).toEqual({
      rest: '409',
      rolling_out: 'yes',
      paused: 'yes',
      released: 'no change',
    });
    expect(inEach(appStore, share(0))).toEqual({ rest: '409', rolling_out: 'yes', paused: 'no change' });
    expect(inEach(appStore, share(0.5))).toEqual({ rest: '400' });
  });

  it.each([
    ['rolling_out', null, 0.2, 'no change'],
    ['paused', 0.2, 0.2, 'yes'],
    ['paused', 0.2, 0.1, '400'],
    ['paused', 0.2, 0.5, '400'],
    ['rolling_out', null, 0.1, '400'],
  ] as const)('%s, before %p: %d is: %s', (status, resumeFraction, wanted, outcome) => {
    expect(outcomeOf({ ...appStore, status, resumeFraction }, share(wanted))).toBe(outcome);
  });

  it('cannot change without a phased release, or in TestFlight', () => {
    const atOnce = { ...appStore, isPhased: false };
    expect(outcomeOf({ ...atOnce, status: 'released' }, share(1))).toBe('400');
    expect(inEach(testFlight, share(0)).rest).toBe('400');
    expect(outcomeOf({ ...testFlight, status: 'testing' }, share(0.5))).toBe('400');
  });

  it('can change when a person has begun the phased release', () => {
    expect(outcomeOf({ ...appStore, isPhased: false, status: 'rolling_out' }, share(0))).toBe('yes');
  });

  it('names the share that resumes it', () => {
    const paused = { ...appStore, status: 'paused' as const, resumeFraction: 0.05 };
    expect(sentenceOf(paused, share(0.5))).toBe(
      'rolloutPercentage must be 0 to pause the phased release, 0.05 to resume the phased release or 1 to complete it: Apple sets the shares itself.',
    );
  });
});

describe('the release of a version', () => {
  it('needs an approval, and happens once', () => {
    expect(inEach(appStore, release)).toEqual({
      rest: '409',
      approved: 'yes',
      rolling_out: 'no change',
      paused: 'no change',
      released: 'no change',
    });
  });

  it('is left to Apple when it goes live by itself', () => {
    const byItself = {
      ...appStore,
      appleReleaseType: 'after-approval' as const,
      status: 'approved' as const,
    };
    expect(outcomeOf(byItself, release)).toBe('409');
    expect(outcomeOf({ ...byItself, storeStatus: 'PENDING_DEVELOPER_RELEASE' }, release)).toBe('yes');
    expect(outcomeOf({ ...byItself, storeStatus: 'PROCESSING_FOR_DISTRIBUTION' }, release)).toBe('no change');
    expect(outcomeOf({ ...byItself, appleReleaseType: 'scheduled' }, release)).toBe('yes');
  });

  it('does not exist in Google Play and TestFlight', () => {
    expect(inEach(play, release)).toEqual({ rest: '409' });
    expect(inEach(testFlight, release)).toEqual({ rest: '409' });
  });
});

describe('the withdrawal of a version', () => {
  it('ends a review that waits or runs, and never takes back an approval', () => {
    expect(inEach(appStore, withdraw)).toEqual({
      rest: '409',
      waiting_for_review: 'yes',
      in_review: 'yes',
      withdrawn: 'no change',
    });
  });

  it('does not exist in Google Play and TestFlight', () => {
    expect(inEach(play, withdraw)).toEqual({ rest: '409' });
    expect(inEach(testFlight, withdraw)).toEqual({ rest: '409' });
  });
});

it.each(releaseStatuses)('says in one short sentence what to do about a release that is %s', (status) => {
  for (const facts of [play, appStore, testFlight]) {
    for (const change of [share(0), share(0.1), share(1), release, withdraw]) {
      const sentence = sentenceOf({ ...facts, status }, change);
      expect(sentence.length).toBeLessThanOrEqual(260);
      expect(sentence).not.toMatch(/undefined|null|\.\.|_/);
    }
  }
});
