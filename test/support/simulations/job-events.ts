import type { Tenant } from '../../builders/identities.js';
import { createWebhook } from '../../builders/webhook.js';
import { query } from '../../setup/databases.js';
import { eventually } from '../eventually.js';
import { behaviours, type Behaviour, type ReceivedRequest } from '../notifications/webhook-receiver.js';
import { isFinal } from './job-invariants.js';
import type { Snapshot } from './job-model.js';
import type { JobScene } from './job-scene.js';
import type { JobWorld } from './job-world.js';

/** How long deliveries may take, in milliseconds: some are tried again, and servers that were killed are waited for. */
const PATIENCE = 120_000;

/** An event, and its delivery to the webhook of the scene. */
export interface EventRow extends Record<string, unknown> {
  readonly id: string;
  readonly serial: number;
  readonly position: number | null;
  readonly type: string;
  readonly objectId: string;
  /** That of the job, in its events. */
  readonly jobStatus: string | null;
  /** `null`: there is no delivery. */
  readonly delivery: string | null;
  readonly reason: string | null;
}

/** The webhook that gets all events of the run. */
export interface SceneWebhook {
  /** Of the receiver. */
  readonly name: string;
  /** The serial of the last event before it was there. */
  readonly since: number;
}

/** Parameters: the organization. */
export const READ_EVENTS = `
  SELECT event.id, serial::int, event.position::int, type, object_id AS "objectId", data ->> 'status' AS "jobStatus",
         delivery.status AS delivery, delivery.reason
    FROM events AS event LEFT JOIN webhook_deliveries AS delivery ON delivery.event_id = event.id
   WHERE event.organization_id = $1 ORDER BY event.position NULLS LAST, serial`;

/** What was seen of the events of a scene. */
export class SeenEvents {
  private readonly byPosition = new Map<number, string>();

  /**
   * What must never be.
   *
   * @param before read before the jobs: what they say is visible
   * @param after read after the jobs: what has changed has its events
   * @returns a sentence for each violation
   */
  violationsOf(before: readonly EventRow[], { jobs }: Snapshot, after: readonly EventRow[]): string[] {
    const created = idsOf(after, 'job_created');
    const finished = idsOf(after, 'job_finished');
    return [
      ...before.flatMap((event) => {
        if (!event.type.startsWith('job_')) return [];
        const job = jobs.get(event.objectId);
        if (job === undefined) return [`An event is about a job that is not there: ${JSON.stringify(event)}`];
        const isTooEarly = event.type === 'job_finished' && job.status !== event.jobStatus;
        return isTooEarly ? [`A job is ${job.status}, but its event says: ${JSON.stringify(event)}`] : [];
      }),
      ...[...jobs.values()].flatMap((job) => [
        ...countViolations('job_created', job.id, created, 1),
        ...countViolations('job_finished', job.id, finished, isFinal(job.status) ? 1 : null),
      ]),
      ...after.flatMap((event) => this.moved(event)),
    ];
  }

  private moved({ id, position }: EventRow): string[] {
    if (position === null) return [];
    const seen = this.byPosition.get(position) ?? id;
    this.byPosition.set(position, seen);
    return seen === id ? [] : [`The position ${position} of the event ${seen} has another one: ${id}`];
  }
}

function idsOf(events: readonly EventRow[], wanted: string): string[] {
  return events.filter(({ type }) => type === wanted).map(({ objectId }) => objectId);
}

/** @param expected `null`: it may have ended meanwhile */
function countViolations(
  type: string,
  jobId: string,
  ids: readonly string[],
  expected: number | null,
): string[] {
  const count = ids.filter((id) => id === jobId).length;
  if (expected === null ? count <= 1 : count === expected) return [];
  return [`The job ${jobId} has ${count} events ${type}.`];
}

/**
 * A receiver that takes most messages, refuses one in ten, and loses one in forty the first time. The same for each
 * attempt, whichever server sends it.
 */
function moodyReceiver(): Behaviour {
  const lost = new Set<string>();
  return (response, request) => {
    const id = String(request.headers['webhook-id']);
    const mood = Number.parseInt(id.slice(-4), 16) % 40;
    if (mood === 0 && !lost.has(id)) {
      lost.add(id);
      return behaviours.reset(response);
    }
    return (mood >= 1 && mood <= 4 ? behaviours.status(400) : behaviours.ok)(response, request);
  };
}

/** A webhook for everything that happens in the organization. */
export async function createReceiver(
  world: JobWorld,
  { organizationId, owner }: Tenant,
): Promise<SceneWebhook> {
  const url = world.receiver.url(organizationId, moodyReceiver());
  await createWebhook({ path: `/v1/organizations/${organizationId}`, api: owner.api }, { url });
  const [last] = await query<{ serial: number }>(
    world.databaseUrl,
    'SELECT coalesce(max(serial), 0)::int AS serial FROM events',
  );
  return { name: organizationId, since: last?.serial ?? 0 };
}

/** Every event has a position, and is delivered or given up with a reason. */
export async function expectEventsDelivered(scene: JobScene): Promise<void> {
  await eventually(async () => {
    const events = await scene.query<EventRow>(READ_EVENTS, [scene.organizationId]);
    expect(events.filter(({ position }) => position === null)).toEqual([]);
    const owed = events.filter(({ serial }) => serial > scene.webhook.since);
    const isOpen = ({ delivery, reason }: EventRow): boolean =>
      delivery !== 'succeeded' && !(delivery === 'failed' && reason !== null);
    expect(owed.filter(isOpen)).toEqual([]);
  }, PATIENCE);
  const events = await scene.query<EventRow>(READ_EVENTS, [scene.organizationId]);
  expect(events.map(({ position }) => position)).toEqual(events.map((_, index) => index + 1));
  expectOrder(events);
  const arrived = arrivalsOf(scene.world.receiver.of(scene.webhook.name));
  const delivered = events.filter(({ delivery }) => delivery === 'succeeded');
  expect(delivered.filter(({ id }) => !arrived.includes(id))).toEqual([]);
  const positions = new Map(events.map(({ id, position }) => [id, position ?? 0]));
  const order = arrived.map((id) => positions.get(id) ?? 0);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
}

/** The creation of a job comes before its end. */
function expectOrder(events: readonly EventRow[]): void {
  const created = idsOf(events, 'job_created');
  expect(idsOf(events, 'app_build_created')).toHaveLength(created.length);
  for (const jobId of created) {
    const types = events.filter(({ objectId }) => objectId === jobId).map(({ type }) => type);
    expect(types).toEqual(['job_created', 'job_finished']);
  }
}

/** Ids of messages in the order in which they arrived first. */
function arrivalsOf(requests: readonly ReceivedRequest[]): string[] {
  return [...new Set(requests.map(({ headers }) => String(headers['webhook-id'])))];
}
