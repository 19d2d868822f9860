/** What a simulated event is. */
export interface SimulatedEvent {
  readonly id: string;
  readonly object: string;
  readonly type: string;
  /** Milliseconds of the simulation at which it happens. */
  readonly at: number;
  position: number;
}

/** For what a receiver fails, and how. */
export interface Fault {
  readonly kind: 'event' | 'object' | 'type' | 'everything' | 'lost';
  /** The id, object or type; empty: everything. */
  readonly of: string;
  /** `null`: there is no response. */
  readonly status: number | null;
  /** For 429: seconds that it asks for. */
  readonly retryAfter: number | null;
  readonly from: number;
  readonly until: number;
}

/** A response of a receiver, and whether it has taken the event. */
export interface SimulatedResponse {
  readonly status: number | null;
  readonly retryAfter: number | null;
  readonly takes: boolean;
}

/** Numbers from 0 to below 1, the same for each seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export const OBJECTS = ['A', 'B', 'C', 'D', 'E', 'F'];
export const TYPES = ['app_channel_paused', 'app_channel_resumed', 'job_finished'];

/** The kinds of faults, each at a random time. Those of one event last, so that it is given up. */
export function randomFault(random: () => number, events: readonly SimulatedEvent[], end: number): Fault {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const from = random() * end * 0.6;
  const none = { of: '', retryAfter: null, from };
  const during = (length: number): number => Math.min(from + length, end);
  switch (Math.floor(random() * 8)) {
    case 0:
      return { ...none, kind: 'event', of: pick(events).id, status: 500, from: 0, until: end };
    case 1:
      return {
        ...none,
        kind: 'object',
        of: pick(OBJECTS),
        status: pick([500, null]),
        until: during(random() * 80 * HOUR),
      };
    case 2:
      return { ...none, kind: 'type', of: pick(TYPES), status: 500, until: during(random() * 30 * HOUR) };
    case 3:
      return { ...none, kind: 'everything', status: 404, until: during(10 * MINUTE) };
    case 4:
      return { ...none, kind: 'type', of: pick(TYPES), status: 422, from: 0, until: end };
    case 5:
      return {
        ...none,
        kind: 'everything',
        status: 429,
        retryAfter: pick([1, 60, 3600]),
        until: during(HOUR),
      };
    case 6:
      return {
        ...none,
        kind: 'everything',
        status: pick([null, 401, 503, 302]),
        until: during(random() * 40 * HOUR),
      };
    default:
      return { ...none, kind: 'lost', status: null, until: during(random() * 20 * HOUR) };
  }
}

/** An ingress that responds with 404 three times in an hour, while responses are lost. */
export function deployments(random: () => number): Fault[] {
  const none = { kind: 'everything', of: '', retryAfter: null } as const;
  const windows = [0, 20, 40].map((minute) => (minute + random() * 10) * MINUTE);
  return [
    ...windows.map((from) => ({ ...none, status: 404, from, until: from + 10 * MINUTE })),
    { ...none, kind: 'lost', status: null, from: 0, until: 3 * HOUR },
  ];
}

/** Responds to events as its faults say at that time. */
export class SimulatedReceiver {
  constructor(private readonly faults: readonly Fault[]) {}

  respond(event: SimulatedEvent, now: number, random: () => number): SimulatedResponse {
    const active = this.faults.filter(({ from, until }) => from <= now && now < until);
    const fault = active.find(
      ({ kind, of }) => kind !== 'lost' && [event.id, event.object, event.type, ''].includes(of),
    );
    if (fault !== undefined) return { status: fault.status, retryAfter: fault.retryAfter, takes: false };
    const isLost = active.some(({ kind }) => kind === 'lost') && random() < 0.3;
    return { status: isLost ? null : 200, retryAfter: null, takes: true };
  }
}
