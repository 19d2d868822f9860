import fc from 'fast-check';
import type { StoreRelease } from '../../app-submissions/releases/store-release.entity.js';
import type { RolloutStep } from './rollout-plan.entity.js';
import { act, draft, held, type Plan, tick, type Transition } from './rollout-plan-state-machine.js';
import { afterShare, notTaken, releaseMoved, taken } from './store-steps.js';

const NOW = new Date('2026-05-01T12:00:00.000Z');
const minutesLater = (minutes: number, time = NOW): Date => new Date(time.getTime() + minutes * 60_000);
const STEPS: RolloutStep[] = [
  { percentage: 0.1, durationMinutes: 60 },
  { percentage: 0.5, durationMinutes: 1440 },
  { percentage: 1, durationMinutes: null },
];
const MESSAGE = 'Google Play does not accept the key.';

const plan = (values: Partial<Plan> = {}): Plan => ({
  ...draft(NOW),
  steps: STEPS,
  healthGate: null,
  ...values,
});
const moved = (before: Plan, transition: Transition | null): Plan => ({ ...before, ...transition?.progress });
const requested = (before: Plan, transition: Transition | null, now: Date): Plan => {
  if (transition === null) throw new Error('Nothing is requested.');
  return { ...before, ...afterShare(before, transition, { kind: 'requested' }, now) };
};
/** The first step is requested. */
const waiting = (values: Partial<Plan> = {}): Plan =>
  requested(plan(values), act(plan(values), 'start', NOW), NOW);
/** The store has taken the first step. */
const running = (): Plan => moved(waiting(), taken(waiting(), NOW));
const release = (
  status: StoreRelease['status'],
  userFraction: number | null = 0.1,
): Pick<StoreRelease, 'status' | 'userFraction' | 'message'> => ({
  status,
  userFraction,
  message: 'Google Play does not show it any more.',
});

describe('a plan of a store', () => {
  it('begins the time of a step when the store has taken its share', () => {
    expect(waiting()).toMatchObject({
      state: 'running',
      stepIndex: 0,
      stepStartedAt: null,
      stepEndsAt: null,
      nextCheckAt: minutesLater(10),
    });
    const later = minutesLater(7);
    expect(moved(waiting(), taken(waiting(), later))).toMatchObject({
      state: 'running',
      stateSince: NOW,
      stepStartedAt: later,
      stepEndsAt: minutesLater(60, later),
      nextCheckAt: minutesLater(60, later),
    });
  });

  it('is completed when the store has taken the last share, not before', () => {
    const last = requested(
      { ...running(), stepIndex: 1 },
      tick({ ...running(), stepIndex: 1 }, minutesLater(60), null, null),
      minutesLater(60),
    );
    expect(last).toMatchObject({ state: 'running', stepIndex: 2, reason: null });
    expect(moved(last, taken(last, minutesLater(61)))).toMatchObject({
      state: 'completed',
      stepStartedAt: minutesLater(61),
      nextCheckAt: null,
    });
  });

  it('goes on at once with a share that the release has already', () => {
    const transition = act(plan(), 'start', NOW);
    expect(afterShare(plan(), transition, { kind: 'set' }, NOW)).toMatchObject({
      stepStartedAt: NOW,
      stepEndsAt: minutesLater(60),
    });
  });

  it('requests the share again when nothing was seen of it, but not during a freeze', () => {
    expect(tick(waiting(), minutesLater(9), null, null)).toBeNull();
    expect(tick(waiting(), minutesLater(10), null, null)).toMatchObject({
      share: 0.1,
      progress: { stepIndex: 0 },
    });
    expect(tick(waiting(), minutesLater(10), null, minutesLater(500))).toEqual({
      share: null,
      progress: { nextCheckAt: minutesLater(20) },
    });
  });

  it('looks again while something else is changed', () => {
    const due = tick(running(), minutesLater(60), null, null) as Transition;
    expect(afterShare(running(), due, { kind: 'busy' }, minutesLater(60))).toEqual({
      nextCheckAt: minutesLater(70),
    });
  });

  it('is held when the store does not take a share, and requests it again when it is resumed', () => {
    const due = tick(running(), minutesLater(60), null, null) as Transition;
    const refused = { kind: 'refused', reason: 'store', message: MESSAGE } as const;
    const atOnce = { ...running(), ...afterShare(running(), due, refused, minutesLater(60)) };
    const second = requested(running(), due, minutesLater(60));
    const byJob = moved(second, notTaken(second, MESSAGE, minutesLater(60)));
    for (const stopped of [atOnce, byJob]) {
      expect(stopped).toMatchObject({
        state: 'held',
        reason: 'store',
        storeMessage: MESSAGE,
        stepIndex: 1,
        stepStartedAt: null,
        nextCheckAt: null,
      });
      const again = act(stopped, 'resume', minutesLater(90));
      expect(again.share).toBe(0.5);
      expect(requested(stopped, again, minutesLater(90))).toMatchObject({
        state: 'running',
        stateSince: minutesLater(90),
        reason: null,
        storeMessage: null,
        stepIndex: 1,
      });
    }
  });

  it('stays in its step when devices would build the bundle wrongly', () => {
    const due = tick(running(), minutesLater(60), null, null) as Transition;
    const refused = { kind: 'refused', reason: 'unsafe-reuse', message: null } as const;
    expect({ ...running(), ...afterShare(running(), due, refused, minutesLater(60)) }).toMatchObject({
      state: 'held',
      reason: 'unsafe-reuse',
      storeMessage: null,
      stepIndex: 0,
      stepStartedAt: NOW,
    });
  });

  it('that a person holds meanwhile goes on with its step when it is resumed', () => {
    const stopped = moved(waiting(), held('person', NOW));
    expect(notTaken(stopped, MESSAGE, NOW)).toBeNull();
    expect(act(stopped, 'resume', NOW).share).toBe(0.1);
    const had = moved(stopped, taken(stopped, minutesLater(1)));
    expect(had).toMatchObject({ state: 'held', reason: 'person', stepStartedAt: minutesLater(1) });
    expect(act(had, 'resume', minutesLater(5))).toMatchObject({
      share: null,
      progress: { state: 'running', stepEndsAt: minutesLater(65) },
    });
  });

  it('is aborted at once, whenever the store halts the release', () => {
    const transition = act(running(), 'abort', NOW);
    expect(transition.share).toBe(0);
    expect({
      ...running(),
      ...afterShare(running(), transition, { kind: 'requested' }, NOW),
    }).toMatchObject({
      state: 'aborted',
      reason: 'person',
      nextCheckAt: null,
    });
  });

  it('does nothing about changes that it has not requested', () => {
    for (const other of [plan(), running(), plan({ state: 'aborted', reason: 'person', stepIndex: 0 })]) {
      expect(taken(other, NOW)).toBeNull();
      expect(notTaken(other, MESSAGE, NOW)).toBeNull();
    }
  });
});

describe('a release that moves', () => {
  it.each([
    ['replaced', 0.1, { state: 'aborted', reason: 'superseded', storeMessage: null }],
    [
      'removed',
      0.1,
      { state: 'aborted', reason: 'store', storeMessage: 'Google Play does not show it any more.' },
    ],
    ['halted', 0, { state: 'aborted', reason: 'share-changed' }],
    ['rejected', 0.1, { state: 'held', reason: 'store' }],
    ['rolling_out', 0.2, { state: 'aborted', reason: 'share-changed' }],
    ['released', 1, { state: 'aborted', reason: 'share-changed' }],
  ] as const)('to %s with the share %d ends or holds its plan', (status, share, expected) => {
    expect(releaseMoved(running(), release(status, share), NOW)).toMatchObject({
      share: null,
      progress: { ...expected, nextCheckAt: null },
    });
  });

  it.each([
    ['rolling_out', 0.1],
    ['rolling_out', null],
    ['in_review', 0.1],
    ['approved', 0.1],
  ] as const)('to %s with the share %d lets it go on', (status, share) => {
    expect(releaseMoved(running(), release(status, share), NOW)).toBeNull();
  });

  it('to the share that was requested, or is still a lower one, lets the plan go on', () => {
    const second = requested(running(), tick(running(), minutesLater(60), null, null), NOW);
    for (const share of [0.1, 0.5])
      expect(releaseMoved(second, release('rolling_out', share), NOW)).toBeNull();
    expect(releaseMoved(second, release('rolling_out', 0.6), NOW)).not.toBeNull();
    const last = { ...second, stepIndex: 2 };
    expect(releaseMoved(last, release('released', 1), NOW)).toBeNull();
  });

  it('changes nothing of a plan that does not run', () => {
    for (const state of ['draft', 'completed', 'aborted'] as const)
      expect(releaseMoved(plan({ state }), release('removed'), NOW)).toBeNull();
  });
});

it('a plan never hangs, skips or repeats a step, whatever stores and people do', () => {
  const event = fc.oneof(
    fc.record({ action: fc.constantFrom('hold', 'resume') }),
    fc.record({ ends: fc.boolean() }),
    fc.record({
      minutes: fc.nat(2000),
      outcome: fc.constantFrom('set', 'requested', 'busy', 'refused'),
      frozen: fc.boolean(),
    }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      let current = waiting();
      let now = NOW;
      for (const one of events) {
        const before = current;
        if ('ends' in one) {
          current = moved(current, one.ends ? taken(current, now) : notTaken(current, MESSAGE, now));
        } else if ('action' in one) {
          const allowed = { hold: 'running', resume: 'held' }[one.action as 'hold'];
          if (current.state !== allowed) continue;
          const transition = act(current, one.action as 'hold', now);
          if (transition.share === null) current = moved(current, transition);
          else current = requested(current, transition, now);
        } else {
          now = minutesLater(one.minutes, now);
          const transition = tick(current, now, null, one.frozen ? minutesLater(30, now) : null);
          if (transition === null) continue;
          if (one.frozen) expect(transition.share).toBeNull();
          const outcome =
            one.outcome === 'refused'
              ? ({ kind: 'refused', reason: 'store', message: MESSAGE } as const)
              : { kind: one.outcome as 'busy' };
          current =
            transition.share === null
              ? moved(current, transition)
              : { ...current, ...afterShare(current, transition, outcome, now) };
        }
        const steps = (current.stepIndex ?? 0) - (before.stepIndex ?? 0);
        expect([0, 1]).toContain(steps);
        expect(current.nextCheckAt !== null).toBe(current.state === 'running');
        expect(current.reason !== null).toBe(current.state === 'held');
        expect(current.storeMessage !== null).toBe(current.reason === 'store');
        if (current.state === 'completed') expect(current).toMatchObject({ stepIndex: 2 });
        if (current.stepEndsAt !== null) expect(current.stepStartedAt).not.toBeNull();
      }
    }),
  );
});
