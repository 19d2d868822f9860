import { AppError } from '../../../common/errors/app-error.js';
import {
  releaseStatuses,
  type StoreRelease,
} from '../../../app-submissions/releases/store-release.entity.js';
import { destinationTypes } from '../../../app-submissions/destinations/destination.entity.js';
import { requireBegun, requireContent, requirePlannable } from './store-plan-rules.js';

const steps = (...percentages: readonly number[]) => ({
  steps: percentages.map((percentage) => ({ percentage, durationMinutes: null })),
  healthGate: null,
});
const release = (values: Partial<StoreRelease> = {}): StoreRelease =>
  ({ status: 'rolling_out', userFraction: 0.2, resumeFraction: null, ...values }) as StoreRelease;

function refusal(attempt: () => void): AppError | null {
  try {
    attempt();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

it.each(destinationTypes)('says why there is a plan for %s or not', (type) => {
  for (const submitsForReview of [true, false]) {
    const refused = refusal(() => requirePlannable({ type, submitsForReview }));
    if (type === 'google-play') expect(refused).toBeNull();
    else expect(refused).toMatchObject({ status: 400, code: 'deployment_to_store' });
  }
});

it('tells phased releases from TestFlight', () => {
  const type = 'apple-app-store-connect';
  expect(refusal(() => requirePlannable({ type, submitsForReview: true }))?.message).toContain('Apple sets');
  expect(refusal(() => requirePlannable({ type, submitsForReview: false }))?.message).toContain('TestFlight');
});

describe('the content of a plan', () => {
  it('has no health gate', () => {
    const healthGate = { maxFailureShare: 0.1, minDevices: 10, confidence: 0.95 } as const;
    expect(refusal(() => requireContent({ ...steps(1), healthGate }, null))?.errors).toMatchObject([
      { field: 'healthGate' },
    ]);
  });

  it('begins with no less than users have, also after a halt', () => {
    const attempt = (share: number, of: StoreRelease | null) =>
      refusal(() => requireContent(steps(share, 1), of))?.errors?.[0]?.field ?? null;
    expect(attempt(0.01, null)).toBeNull();
    expect(attempt(0.2, release())).toBeNull();
    expect(attempt(0.19, release())).toBe('steps.0.percentage');
    const halted = release({ status: 'halted', userFraction: 0, resumeFraction: 0.3 });
    expect(attempt(0.3, halted)).toBeNull();
    expect(attempt(0.2, halted)).toBe('steps.0.percentage');
    expect(attempt(0.01, release({ status: 'in_review' }))).toBeNull();
  });
});

describe('the start of a plan', () => {
  it('needs a release that is being rolled out, to no more users than its first step', () => {
    expect(refusal(() => requireBegun(steps(0.2, 1), release()))).toBeNull();
    expect(refusal(() => requireBegun(steps(0.1, 1), release()))).toMatchObject({ code: 'release_state' });
    expect(refusal(() => requireBegun(steps(0.2, 1), null))).toMatchObject({ code: 'release_state' });
  });

  it.each(releaseStatuses.filter((status) => status !== 'rolling_out'))(
    'says what a release that is %s waits for',
    (status) => {
      const refused = refusal(() => requireBegun(steps(1), release({ status })));
      expect(refused).toMatchObject({ code: 'release_state', status: 409 });
      expect(refused?.message).toMatch(/^The rollout plan cannot start: .*[^.]\.$/);
    },
  );
});
