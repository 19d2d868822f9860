import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { afterCommitOf, type DeliveryParts, makeDeliveries, openDatabase } from './delivery-parts.js';
import {
  deployments,
  type Fault,
  OBJECTS,
  randomFault,
  randomOf,
  type SimulatedEvent,
  SimulatedReceiver,
  TYPES,
} from './simulated-receiver.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The longest wait of the schedule, and the minute after which a killed run is repeated. */
const LONGEST_WAIT = 24 * 1.1 * HOUR + 2 * MINUTE;
/** How long an event waits for one that fails, at most, when nothing else fails: its first two waits, and a moment. */
const STANDS_FOR = 5 * SECOND * 1.1 + 5 * MINUTE * 1.1 + 10 * SECOND;

interface Job {
  readonly queue: string;
  data: { readonly webhookId: string; readonly dueAt: string };
  /** By the clock of this process. */
  startAt: number;
}

/** The end of a process. */
class Killed extends Error {}

/**
 * Random receivers, with the code and the SQL of the server in this process: two servers that are killed, a clock that is
 * moved by moving all stored times, and no network.
 */
export class WebhookSimulation {
  /** Milliseconds that have passed in the run. */
  private now = 0;
  private jobs: Job[] = [];
  private servers: DeliveryParts[] = [];
  private random: () => number = Math.random;
  private kills = 0;
  private webhookId = '';
  private events: SimulatedEvent[] = [];
  private receiver = new SimulatedReceiver([]);
  /** When an event was taken first. */
  private arrivals = new Map<string, number>();
  /** Those whose response was lost when they were taken: Slipway knows that it does not know. */
  private unanswered = new Set<string>();
  private isStrict = false;
  private lastAttempt = 0;
  private isHanging = false;
  readonly trace: string[] = [];
  readonly counts = { runs: 0, events: 0, attempts: 0, undelivered: 0, kills: 0, aside: 0 };

  private constructor(private readonly database: DataSource) {}

  static async open(databaseUrl: string): Promise<WebhookSimulation> {
    const simulation = new WebhookSimulation(await openDatabase(databaseUrl));
    const afterCommit = await afterCommitOf();
    const add = (queue: string, data: Job['data'], startAt: number): void =>
      afterCommit(() => simulation.jobs.push({ queue, data, startAt }));
    const queue = {
      isStopping: false,
      send: (
        name: string,
        _tenant: string,
        data: Job['data'],
        { startAfter }: { startAfter?: Date } = {},
      ) => {
        add(name, data, startAfter?.getTime() ?? 0);
        return Promise.resolve();
      },
      sendAll: (name: string, jobs: readonly { readonly data: Job['data'] }[]) => {
        for (const { data } of jobs) add(name, data, 0);
        return Promise.resolve();
      },
    };
    const sender = { send: (...parts: unknown[]) => simulation.deliver(parts[2] as { readonly id: string }) };
    const sqlOf = (sql: object): object =>
      new Proxy(sql, {
        get: (target, name) => {
          const method: unknown = Reflect.get(target, name);
          if (name !== 'query' && name !== 'execute') return method;
          return (...parameters: unknown[]) => {
            simulation.mayBeKilled(0.003);
            return (method as (...parameters: unknown[]) => unknown).apply(target, parameters);
          };
        },
      });
    for (let server = 0; server < 2; server++) {
      simulation.servers.push(await makeDeliveries(simulation.database, { queue, sender, sqlOf }));
    }
    return simulation;
  }

  async close(): Promise<void> {
    await this.database.destroy();
  }

  /** One webhook with random events and faults. @throws Error that says what must not be */
  async run(seed: number): Promise<void> {
    const random = randomOf(seed);
    this.random = random;
    const { random: usual } = Math;
    Math.random = random;
    try {
      await this.prepare(random);
      await this.live();
      await this.check();
    } finally {
      Math.random = usual;
    }
  }

  private async prepare(random: () => number): Promise<void> {
    Object.assign(this, { now: 0, jobs: [], lastAttempt: 0, isHanging: false });
    this.trace.length = 0;
    this.arrivals = new Map();
    this.unanswered = new Set();
    const [organizationId, appId] = [randomUUID(), randomUUID()];
    this.webhookId = randomUUID();
    this.isStrict = random() < 0.25;
    const end = (2 + random() * 70) * HOUR;
    const length = random() < 0.5 ? end * 0.8 : HOUR;
    const objects = OBJECTS.slice(0, 1 + Math.floor(random() * OBJECTS.length));
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
    this.events = Array.from({ length: 5 + Math.floor(random() * 35) }, () => ({
      id: randomUUID(),
      object: pick(objects),
      type: pick(TYPES),
      at: random() * length,
      position: 0,
    })).sort((a, b) => a.at - b.at);
    const faults =
      random() < 0.2
        ? deployments(random)
        : Array.from({ length: 1 + Math.floor(random() * 4) }, () => randomFault(random, this.events, end));
    this.receiver = new SimulatedReceiver(faults);
    this.faults = faults;
    this.kills = random() < 0.6 ? 3 : 0;
    this.mayHang = random() < 0.3;
    await this.database.query(`INSERT INTO organizations (id, name, slug) VALUES ($1, 'Simulated', $2)`, [
      organizationId,
      organizationId,
    ]);
    await this.database.query(
      `INSERT INTO apps (id, organization_id, name, type) VALUES ($1, $2, 'Simulated', 'capacitor')`,
      [appId, organizationId],
    );
    await this.database.query(
      `INSERT INTO webhooks (id, organization_id, app_id, name, sealed_url, host, format, events, ordering)
       VALUES ($1, $2, $3, 'Simulated', 'v1.', 'receiver.example', 'raw', '{*}', $4)`,
      [this.webhookId, organizationId, appId, this.isStrict ? 'strict' : 'object'],
    );
    this.owner = { organizationId, appId };
    this.objectIds = new Map(OBJECTS.map((object) => [object, randomUUID()]));
    this.trace.push(
      `${this.isStrict ? 'strict' : 'object'}, ${this.events.length} events, ${this.kills} kills`,
    );
    for (const { kind, of, status, from, until } of faults) {
      this.trace.push(`fault ${kind} ${of} ${status}: ${hours(from)} to ${hours(until)}`);
    }
  }

  private faults: readonly Fault[] = [];
  private mayHang = false;
  private owner = { organizationId: '', appId: '' };
  private objectIds = new Map<string, string>();

  /** Until nothing is pending after the end of all faults. */
  private async live(): Promise<void> {
    let next = 0;
    for (let steps = 0; ; steps++) {
      if (steps > 20_000) throw new Error('It does not end.');
      const job = this.jobs.toSorted((a, b) => a.startAt - b.startAt)[0];
      const event = this.events[next];
      const untilJob = job === undefined ? Infinity : Math.max(job.startAt - Date.now(), 0);
      const untilEvent = event === undefined ? Infinity : event.at - this.now;
      if (untilJob === Infinity && untilEvent === Infinity) return;
      if (event !== undefined && untilEvent <= untilJob) {
        await this.pass(Math.max(untilEvent, 0));
        next++;
        event.position = next;
        await this.happen(event);
      } else if (job !== undefined) {
        await this.pass(untilJob);
        this.jobs.splice(this.jobs.indexOf(job), 1);
        await this.work(job);
      }
    }
  }

  private async happen({ id, object, type, position }: SimulatedEvent): Promise<void> {
    const { organizationId, appId } = this.owner;
    await this.database.query(
      `INSERT INTO events (id, type, object_id, data, organization_id, app_id, position)
       VALUES ($1, $2, $3, '{}', $4, $5, $6)`,
      [id, type, this.objectIds.get(object), organizationId, appId, position],
    );
    const [{ pending } = { pending: 0 }] = await this.database.query<{ pending: number }[]>(
      `SELECT count(*)::int AS pending FROM webhook_deliveries WHERE webhook_id = $1 AND status = 'pending'`,
      [this.webhookId],
    );
    if (pending === 0) this.lastAttempt = this.now;
    this.trace.push(`${hours(this.now)} event ${position} ${object} ${type}`);
    // The dispatcher repeats what a kill has undone.
    for (;;) {
      try {
        return await (this.servers[0] as DeliveryParts).fanOut([id]);
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
      }
    }
  }

  private async work(job: Job): Promise<void> {
    const server = this.servers[Math.floor(this.random() * this.servers.length)] as DeliveryParts;
    try {
      await server.run(job.data);
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      this.trace.push(`${hours(this.now)} killed`);
      // The queue gives it to another server when its time is over.
      this.jobs.push({ ...job, startAt: Date.now() + MINUTE });
    }
  }

  private mayBeKilled(probability: number): void {
    if (this.kills === 0 || this.random() >= probability) return;
    this.kills--;
    this.counts.kills++;
    throw new Killed();
  }

  /** An attempt, as `WebhookSender` makes it. */
  private async deliver({ id }: { readonly id: string }): Promise<object> {
    this.mayBeKilled(0.02);
    const event = this.events.find((each) => each.id === id) as SimulatedEvent;
    this.counts.attempts++;
    const gap = this.now - this.lastAttempt;
    this.lastAttempt = this.now;
    if (gap > LONGEST_WAIT) throw new Error(`Nothing was sent for ${hours(gap)}.`);
    const at = new Date();
    const { status, retryAfter, takes } = this.receiver.respond(event, this.now, this.random);
    this.trace.push(`${hours(this.now)} send ${event.position} ${event.object}: ${status} ${takes}`);
    if (takes) await this.take(event);
    await this.mayRunTwice();
    // The event has arrived, but what came of it is lost.
    this.mayBeKilled(0.02);
    const known = { at, durationMs: 1, status, retryAfter, responseBody: null };
    if (takes && status === null) this.unanswered.add(id);
    if (status === 200) return { ...known, outcome: 'succeeded', error: null };
    const isRejected = status === 404 || status === 422;
    return { ...known, outcome: isRejected ? 'rejected' : 'unavailable', error: `Status ${status}.` };
  }

  /** Two servers do the same run: one of them was considered lost, but it was only slow. */
  private async mayRunTwice(): Promise<void> {
    if (!this.mayHang || this.isHanging || this.random() > 0.03) return;
    const running = await this.database.query<{ dueAt: Date }[]>(
      'SELECT due_at AS "dueAt" FROM webhook_schedules WHERE webhook_id = $1',
      [this.webhookId],
    );
    const [{ dueAt } = { dueAt: null }] = running;
    if (dueAt === null || dueAt.getTime() > Date.now()) return;
    this.isHanging = true;
    this.trace.push(`${hours(this.now)} the same run again`);
    const data = { webhookId: this.webhookId, dueAt: dueAt.toISOString() };
    await (this.servers[1] as DeliveryParts).run(data).finally(() => (this.isHanging = false));
  }

  /** Nothing of an object comes after a later event, unless a server was killed before it knew of that. */
  private async take(event: SimulatedEvent): Promise<void> {
    if (this.arrivals.has(event.id)) {
      if (this.unanswered.has(event.id) || this.wasDisturbed) return;
      throw new Error(`Event ${event.position} arrived twice, although its response was not lost.`);
    }
    this.arrivals.set(event.id, this.now);
    const [later] = await this.database.query<{ position: number }[]>(
      `SELECT position FROM webhook_deliveries
       WHERE webhook_id = $1 AND (status = 'succeeded' OR event_id = ANY ($5)) AND position > $2
         AND ($3 OR object_id = $4)`,
      [this.webhookId, event.position, this.isStrict, this.objectIds.get(event.object), [...this.unanswered]],
    );
    if (later !== undefined) {
      throw new Error(`Event ${event.position} of ${event.object} arrived after event ${later.position}.`);
    }
  }

  /** Lets time pass: what is stored becomes older. */
  private async pass(milliseconds: number): Promise<void> {
    const wait = Math.ceil(milliseconds);
    this.now += wait;
    if (wait === 0) return;
    for (const job of this.jobs) {
      job.startAt -= wait;
      job.data = { ...job.data, dueAt: new Date(new Date(job.data.dueAt).getTime() - wait).toISOString() };
    }
    const moved = (columns: readonly string[]): string =>
      columns.map((column) => `${column} = ${column} - $2 * interval '1 millisecond'`).join(', ');
    const schedule = [
      'due_at',
      'early_at',
      'rests_until',
      'failing_since',
      'unsuccessful_since',
      'last_success_at',
    ];
    for (const [table, columns] of [
      ['webhook_schedules', schedule],
      ['webhook_deliveries', ['failing_since', 'last_attempt_at']],
      ['webhook_objects_aside', ['retry_at']],
    ] as const) {
      await this.database.query(`UPDATE ${table} SET ${moved(columns)} WHERE webhook_id = $1`, [
        this.webhookId,
        wait,
      ]);
    }
  }

  private async check(): Promise<void> {
    const rows = await this.database.query<{ eventId: string; status: string; setAside: boolean }[]>(
      'SELECT event_id AS "eventId", status, set_aside AS "setAside" FROM webhook_deliveries WHERE webhook_id = $1',
      [this.webhookId],
    );
    const [{ enabled } = { enabled: false }] = await this.database.query<{ enabled: boolean }[]>(
      'SELECT enabled FROM webhooks WHERE id = $1',
      [this.webhookId],
    );
    if (!enabled) throw new Error('It was disabled, although the receiver worked within five days.');
    const { arrivals: first } = this;
    const statuses = new Map(rows.map(({ eventId, status }) => [eventId, status]));
    for (const { id, position, at } of this.events) {
      const status = statuses.get(id);
      const isListed = status === 'failed';
      const isThere = status === 'succeeded' && first.has(id);
      if (!isListed && !isThere) throw new Error(`Event ${position} is ${status}, and has not arrived.`);
      this.checkWait(id, position, (first.get(id) ?? at) - at);
    }
    const aside = await this.database.query<object[]>(
      'SELECT FROM webhook_objects_aside WHERE webhook_id = $1',
      [this.webhookId],
    );
    if (aside.length > 0) throw new Error('An object is still set aside.');
    this.counts.runs++;
    this.counts.events += this.events.length;
    this.counts.undelivered += rows.filter(({ status }) => status === 'failed').length;
    this.counts.aside += rows.filter(({ setAside }) => setAside).length;
  }

  /** Where a single event, or a single object, is all that the receiver fails for, the others wait for it a moment only. */
  private checkWait(id: string, position: number, waited: number): void {
    const [fault, ...others] = this.faults;
    const { object } = this.events.find((event) => event.id === id) as SimulatedEvent;
    const isAlone = fault !== undefined && others.length === 0 && ['event', 'object'].includes(fault.kind);
    if (!isAlone || this.isStrict || this.kills > 0 || this.wasDisturbed) return;
    const failing = this.events.find((event) => event.id === fault.of)?.object ?? fault.of;
    if (object !== failing && waited > STANDS_FOR) {
      throw new Error(`Event ${position} of ${object} has waited ${hours(waited)} for one of ${failing}.`);
    }
  }

  private get wasDisturbed(): boolean {
    return this.trace.some((line) => / (killed|the same run again)$/.test(line));
  }
}

function hours(milliseconds: number): string {
  return `${(milliseconds / HOUR).toFixed(3)} h`;
}
