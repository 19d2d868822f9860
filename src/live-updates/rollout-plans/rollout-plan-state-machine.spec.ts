import fc from 'fast-check';
import { ConflictError } from '../../common/errors/app-error.js';
import {
  ACTIVE_STATES,
  act,
  draft,
  end,
  held,
  isUnhealthy,
  type Plan,
  planActions,
  tick,
  type Transition,
} from './rollout-plan-state-machine.js';
import type { Health, HealthGate, RolloutStep } from './rollout-plan.entity.js';

const NOW = new Date('2026-05-01T12:00:00.000Z');
const minutesLater = (minutes: number, time = NOW): Date => new Date(time.getTime() + minutes * 60_000);
const STEPS: RolloutStep[] = [
  { percentage: 0.01, durationMinutes: 60 },
  { percentage: 0.1, durationMinutes: 1440 },
  { percentage: 1, durationMinutes: null },
];
const GATE: HealthGate = { maxFailureShare: 0.02, minDevices: 50, confidence: 0.95 };
const HEALTHY: Health = { offered: 1000, applied: 900, rolledBack: 0, notApplied: 0 };
const BROKEN: Health = { ...HEALTHY, rolledBack: 100 };

const plan = (values: Partial<Plan> = {}): Plan => ({
  ...draft(NOW),
  steps: STEPS,
  healthGate: null,
  ...values,
});
const moved = (before: Plan, transition: Transition | null): Plan => ({ ...before, ...transition?.progress });
const started = (values: Partial<Plan> = {}): Plan => moved(plan(values), act(plan(values), 'start', NOW));

describe('a rollout plan', () => {
  it('begins with its first step', () => {
    const { share, progress } = act(plan(), 'start', NOW);
    expect(share).toBe(0.01);
    expect(progress).toMatchObject({
      state: 'running',
      stepIndex: 0,
      stepEndsAt: minutesLater(60),
      nextCheckAt: minutesLater(60),
    });
  });

  it('goes on when a step is over, not before', () => {
    expect(tick(started(), minutesLater(59), HEALTHY, null)).toBeNull();
    const transition = tick(started(), minutesLater(60), HEALTHY, null);
    expect(transition).toMatchObject({
      share: 0.1,
      progress: { stepIndex: 1, stepEndsAt: minutesLater(1500) },
    });
  });

  it('takes one step only when it is late, and counts its time from then', () => {
    const late = minutesLater(100_000);
    const transition = tick(started(), late, HEALTHY, null);
    expect(transition).toMatchObject({ share: 0.1, progress: { stepEndsAt: minutesLater(1440, late) } });
  });

  it('is completed with the last step', () => {
    const second = moved(started(), tick(started(), minutesLater(60), HEALTHY, null));
    const last = tick(second, minutesLater(1500), HEALTHY, null);
    expect(last).toMatchObject({
      share: 1,
      progress: { state: 'completed', stepIndex: 2, nextCheckAt: null },
    });
    expect(tick(moved(second, last), minutesLater(9999), BROKEN, null)).toBeNull();
  });

  it('is completed at once when there is one step', () => {
    const single = plan({ steps: [{ percentage: 0.5, durationMinutes: null }] });
    expect(act(single, 'start', NOW)).toMatchObject({ share: 0.5, progress: { state: 'completed' } });
  });

  it('is looked at every ten minutes when it has a health gate', () => {
    const gated = started({ healthGate: GATE });
    expect(gated.nextCheckAt).toEqual(minutesLater(10));
    const next = moved(gated, tick(gated, minutesLater(10), HEALTHY, null));
    expect(next).toMatchObject({ stepIndex: 0, nextCheckAt: minutesLater(20), stepEndsAt: minutesLater(60) });
    expect(moved(next, tick(next, minutesLater(55), HEALTHY, null)).nextCheckAt).toEqual(minutesLater(60));
  });

  it('is held by its gate, with the evidence, also when the next step is due', () => {
    const gated = started({ healthGate: GATE });
    for (const minutes of [10, 60]) {
      const { progress, share } = tick(gated, minutesLater(minutes), BROKEN, null) ?? {};
      expect(share).toBeNull();
      expect(progress).toMatchObject({
        state: 'held',
        reason: 'health-gate',
        evidence: BROKEN,
        nextCheckAt: null,
      });
    }
    expect(tick(started(), minutesLater(60), BROKEN, null)).toMatchObject({ share: 0.1 });
  });

  it('waits for the end of a freeze, and looks whether it was lifted', () => {
    const frozen = tick(started(), minutesLater(60), HEALTHY, minutesLater(500));
    expect(frozen).toMatchObject({
      share: null,
      progress: { frozenUntil: minutesLater(500), nextCheckAt: minutesLater(70) },
    });
    const waiting = moved(started(), frozen);
    expect(waiting.state).toBe('running');
    expect(tick(waiting, minutesLater(70), HEALTHY, null)).toMatchObject({
      share: 0.1,
      progress: { frozenUntil: null },
    });
  });

  it('is held in its step when devices would build the bundle wrongly, and can be resumed and aborted', () => {
    const later = minutesLater(60);
    const transition = held('unsafe-reuse', later);
    expect(transition).toMatchObject({
      share: null,
      progress: { state: 'held', reason: 'unsafe-reuse', stateSince: later, nextCheckAt: null },
    });
    const stopped = moved(started(), transition);
    expect(tick(stopped, minutesLater(600), HEALTHY, null)).toBeNull();
    expect(moved(stopped, act(stopped, 'resume', later))).toMatchObject({
      state: 'running',
      reason: null,
      stepIndex: 0,
      stepEndsAt: minutesLater(60, later),
    });
    expect(act(stopped, 'abort', later).progress).toMatchObject({ state: 'aborted', reason: 'person' });
  });

  it('starts its step again when it is resumed, with the same share, and forgets earlier rollbacks', () => {
    const gated = started({ healthGate: GATE });
    const held = moved(gated, tick(gated, minutesLater(30), BROKEN, null));
    const later = minutesLater(100);
    expect(act(held, 'resume', later)).toMatchObject({
      share: null,
      progress: { state: 'running', reason: null, observedSince: later, stepEndsAt: minutesLater(60, later) },
    });
  });

  it('offers the deployment to no device any more when it is aborted', () => {
    const { share, progress } = act(started(), 'abort', NOW);
    expect(share).toBe(0);
    expect(progress).toMatchObject({ state: 'aborted', reason: 'person', nextCheckAt: null });
  });

  it.each([
    ['draft', ['start']],
    ['running', ['hold', 'abort']],
    ['held', ['resume', 'abort']],
    ['completed', []],
    ['aborted', []],
  ] as const)('that is %s allows %j', (state, allowed) => {
    for (const action of planActions) {
      const attempt = () => act(plan({ state, stepIndex: 0 }), action, NOW);
      if ((allowed as readonly string[]).includes(action)) expect(attempt).not.toThrow();
      else expect(attempt).toThrow(ConflictError);
    }
  });

  it('never skips a step, never lowers a share and never moves when it does not run, whatever happens', () => {
    const event = fc.oneof(
      fc.record({ action: fc.constantFrom('hold', 'resume') }),
      fc.record({ minutes: fc.nat(3000), broken: fc.boolean(), frozen: fc.boolean() }),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), fc.boolean(), (events, gated) => {
        let current = started({ healthGate: gated ? GATE : null });
        let share = 0.01;
        let now = NOW;
        for (const one of events) {
          let transition: Transition | null = null;
          if ('action' in one) {
            try {
              transition = act(current, one.action as 'hold', now);
            } catch (error) {
              expect(error).toBeInstanceOf(ConflictError);
            }
          } else {
            now = minutesLater(one.minutes, now);
            transition = tick(
              current,
              now,
              one.broken ? BROKEN : HEALTHY,
              one.frozen ? minutesLater(30, now) : null,
            );
            if (current.state !== 'running') expect(transition).toBeNull();
            if (one.frozen) expect(transition?.share ?? null).toBeNull();
          }
          const next = moved(current, transition);
          expect((next.stepIndex ?? 0) - (current.stepIndex ?? 0)).toBeGreaterThanOrEqual(0);
          expect((next.stepIndex ?? 0) - (current.stepIndex ?? 0)).toBeLessThanOrEqual(1);
          if (transition?.share != null) {
            expect(transition.share).toBeGreaterThan(share);
            share = transition.share;
          }
          expect(share).toBe(STEPS[next.stepIndex ?? 0]?.percentage);
          expect(next.nextCheckAt !== null).toBe(next.state === 'running');
          expect(next.reason !== null).toBe(['held', 'aborted'].includes(next.state));
          if (next.nextCheckAt !== null && transition !== null) {
            expect(next.nextCheckAt.getTime()).toBeGreaterThan(now.getTime());
          }
          current = next;
        }
      }),
    );
  });
});

describe('the health gate', () => {
  it('concludes nothing from few devices', () => {
    expect(isUnhealthy(GATE, { ...HEALTHY, applied: 49, rolledBack: 49 })).toBe(false);
    expect(isUnhealthy(GATE, { ...HEALTHY, applied: 50, rolledBack: 50 })).toBe(true);
  });

  it('holds when the lower bound passes the limit, not when the share does', () => {
    // 3 of 100 are more than 2 %, but may well be chance.
    expect(isUnhealthy(GATE, { ...HEALTHY, applied: 100, rolledBack: 3 })).toBe(false);
    expect(isUnhealthy(GATE, { ...HEALTHY, applied: 10_000, rolledBack: 300 })).toBe(true);
  });

  it('does not count devices that have not applied the bundle', () => {
    expect(isUnhealthy(GATE, { ...HEALTHY, notApplied: 100_000 })).toBe(false);
  });
});

describe('a plan that lost its purpose', () => {
  it.each(ACTIVE_STATES)('ends without a change of the share when it is %s', (state) => {
    const active = { ...started(), state };
    expect(moved(active, end(active, 'superseded', minutesLater(5)))).toMatchObject({
      state: 'aborted',
      reason: 'superseded',
      stateSince: minutesLater(5),
      nextCheckAt: null,
      stepEndsAt: null,
    });
    expect(end(active, 'share-changed', NOW).share).toBeNull();
  });

  it.each(['draft', 'completed', 'aborted'] as const)('cannot end when it is %s', (state) => {
    expect(() => end({ state }, 'superseded', NOW)).toThrow(RangeError);
  });
});
