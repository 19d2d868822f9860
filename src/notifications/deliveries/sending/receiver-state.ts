import type { WebhookSchedule } from '../webhook-schedule.entity.js';
import type { AttemptOutcome } from './attempt-outcome.js';
import { TEST_EVENT } from './test-payload.js';

/** A webhook is disabled after so many days without a success, and so many attempts: some have an event a month only. */
const UNSUCCESSFUL_DAYS = 5;
const UNSUCCESSFUL_ATTEMPTS = 10;
const DAY = 24 * 3600 * 1000;

/** Milliseconds from which a response is slow. */
const SLOW = 3000;

/** Milliseconds after which a receiver that does not work is reported. */
const REPORTED_AFTER = 5 * 60_000;
/** A report waits so long for the next attempt, which may succeed, in milliseconds. */
const REPORT_PATIENCE = 60_000;

/** Different events in a row that a receiver rejects, from which it may be that it does not work. */
export const REJECTIONS = 5;
/** Those that are remembered of a receiver that does not work, and of types. */
const MAX_REJECTIONS = 100;
const MAX_TYPES = 200;

/** How a receiver has responded up to now. */
export type ReceiverState = Pick<
  WebhookSchedule,
  | 'failures'
  | 'busyResponses'
  | 'failingSince'
  | 'isReported'
  | 'unsuccessfulSince'
  | 'unsuccessfulAttempts'
  | 'lastSuccessAt'
  | 'isSlow'
  | 'rejectedIds'
  | 'acceptedTypes'
>;

/** The state alone, of a schedule. */
export function stateOf(state: ReceiverState): ReceiverState {
  const { failures, busyResponses, failingSince, isReported, unsuccessfulSince, unsuccessfulAttempts } =
    state;
  const { lastSuccessAt, isSlow, rejectedIds, acceptedTypes } = state;
  return {
    failures,
    busyResponses,
    failingSince,
    isReported,
    unsuccessfulSince,
    unsuccessfulAttempts,
    lastSuccessAt,
    isSlow,
    rejectedIds,
    acceptedTypes,
  };
}

/** What a user's change forgets that may help. */
export const forgotten = {
  failures: 0,
  busyResponses: 0,
  failingSince: null,
  unsuccessfulSince: null,
  unsuccessfulAttempts: 0,
  isSlow: false,
  rejectedIds: [],
} as const satisfies Partial<ReceiverState>;

/** An attempt, for the state. */
export interface StateAttempt {
  readonly outcome: AttemptOutcome;
  readonly deliveryId: string;
  readonly eventType: string;
  /** Whether the receiver has said how long to wait. */
  readonly isBusy: boolean;
  readonly hasResponse: boolean;
  /** Whether a failure may be about the event: it is set aside, or one of those that show whether the receiver works. */
  readonly isAside: boolean;
  readonly durationMs: number;
}

/** The state after an attempt. */
export function afterAttempt(state: ReceiverState, attempt: StateAttempt, now: Date): ReceiverState {
  const { outcome, deliveryId, eventType, isBusy, hasResponse, isAside } = attempt;
  const isSlow = attempt.durationMs >= SLOW;
  if (outcome === 'succeeded') {
    const { acceptedTypes: known } = state;
    const acceptedTypes =
      known.includes(eventType) || eventType === TEST_EVENT ? known : [...known, eventType].slice(-MAX_TYPES);
    return { ...forgotten, isReported: false, lastSuccessAt: now, isSlow, acceptedTypes };
  }
  const tried = {
    ...state,
    unsuccessfulSince: notAfter(state.unsuccessfulSince, now),
    unsuccessfulAttempts: state.unsuccessfulAttempts + 1,
    isSlow,
  };
  if (outcome === 'rejected') {
    // One that was rejected before is sent again because the receiver does not work: it still may not.
    if (state.rejectedIds.includes(deliveryId)) return tried;
    return {
      ...tried,
      failures: 0,
      busyResponses: 0,
      failingSince: null,
      rejectedIds: withRejection(state, deliveryId, eventType),
    };
  }
  // Without a response, the receiver may have taken it: what it rejected before must not follow.
  const rejectedIds = hasResponse ? state.rejectedIds : [];
  if (isAside && !isBusy) return { ...tried, rejectedIds };
  return {
    ...tried,
    rejectedIds,
    failures: isBusy ? state.failures : state.failures + 1,
    busyResponses: isBusy ? state.busyResponses + 1 : 0,
    failingSince: notAfter(state.failingSince, now),
  };
}

/** Of a receiver that works, the last ones; of one that may not, all that are sent again. Tests are no events. */
function withRejection(
  { failures, rejectedIds }: ReceiverState,
  id: string,
  type: string,
): readonly string[] {
  if (type === TEST_EVENT) return rejectedIds;
  return [...rejectedIds, id].slice(failures > 0 ? -MAX_REJECTIONS : -REJECTIONS);
}

/** The state of a receiver that has rejected so many events that it does not work. @param before the attempt */
export function afterRejections(state: ReceiverState, before: ReceiverState, now: Date): ReceiverState {
  const failingSince = notAfter(before.failingSince, now);
  return { ...state, failures: before.failures + 1, busyResponses: 0, failingSince };
}

/** Whether the receiver works, as far as is known. */
export function isWell({
  failures,
  busyResponses,
}: Pick<ReceiverState, 'failures' | 'busyResponses'>): boolean {
  return failures === 0 && busyResponses === 0;
}

/** Whether a success says nothing new of the receiver. */
export function isUntroubled(state: ReceiverState): boolean {
  const { unsuccessfulSince, rejectedIds, isReported } = state;
  return isWell(state) && unsuccessfulSince === null && rejectedIds.length === 0 && !isReported;
}

/** Whether Slipway gives up on the receiver: five days without one success. */
export function isHopeless(
  {
    unsuccessfulSince,
    unsuccessfulAttempts,
  }: Pick<ReceiverState, 'unsuccessfulSince' | 'unsuccessfulAttempts'>,
  now: Date,
): boolean {
  if (unsuccessfulSince === null || unsuccessfulAttempts < UNSUCCESSFUL_ATTEMPTS) return false;
  return now.getTime() - unsuccessfulSince.getTime() >= UNSUCCESSFUL_DAYS * DAY;
}

type Reported = Pick<ReceiverState, 'failingSince' | 'isReported'>;

/** Whether it is time to report that the receiver does not work. */
export function isReportDue({ failingSince, isReported }: Reported, now: Date): boolean {
  return !isReported && failingSince !== null && now.getTime() - failingSince.getTime() >= REPORTED_AFTER;
}

/**
 * When a receiver that rests is reported.
 *
 * @param rest milliseconds from now
 * @returns milliseconds from now; `null`: it is reported already, or not before the next attempt
 */
export function reportIn({ failingSince, isReported }: Reported, now: Date, rest: number): number | null {
  if (isReported || failingSince === null) return null;
  const wait = failingSince.getTime() + REPORTED_AFTER - now.getTime();
  return rest > wait + REPORT_PATIENCE ? Math.max(wait, 0) : null;
}

/** A time in the future was that of a wrong clock. */
function notAfter(time: Date | null, now: Date): Date {
  return time === null || time > now ? now : time;
}
