import { join } from 'node:path';
import type { DataSource } from 'typeorm';

const dist = join(import.meta.dirname, '../../../../dist/src');
const NOTIFICATIONS = 'notifications/deliveries';

/** A class of the built server, which does not exist yet when the tests are type-checked. */
async function load<T>(path: string): Promise<T> {
  return (await import(join(dist, path))) as T;
}

/** What takes the place of the rest of the server. */
export interface Surroundings {
  /** Of the queue. */
  readonly queue: object;
  /** Sends to receivers. */
  readonly sender: object;
  /** The statements of `*.queries.ts`. */
  readonly sqlOf: (sql: object) => object;
}

/** The deliveries of a server, without the rest of it. */
export interface DeliveryParts {
  /** Runs a job of the queue. */
  run(job: object): Promise<void>;
  /** Gives events their deliveries. */
  fanOut(eventIds: readonly string[]): Promise<void>;
}

/** Opens the database as the server does. */
export async function openDatabase(url: string): Promise<DataSource> {
  const { dataSourceOptions } = await load<
    typeof import('../../../../src/database/schema/data-source-options.js')
  >('database/schema/data-source-options.js');
  const { TransactionalDataSource } = await load<
    typeof import('../../../../src/database/transactions/transactional-data-source.js')
  >('database/transactions/transactional-data-source.js');
  const { entities } = await load<typeof import('../../../../src/entities.js')>('entities.js');
  return new TransactionalDataSource({ ...dataSourceOptions(url, 5), entities }).initialize();
}

/** After the commit of the running transaction. */
export async function afterCommitOf(): Promise<(work: () => void) => void> {
  const { afterCommit } = await load<typeof import('../../../../src/database/transactions/transaction.js')>(
    'database/transactions/transaction.js',
  );
  return afterCommit;
}

/** Makes the deliveries of one server. */
export async function makeDeliveries(
  database: DataSource,
  { queue, sender, sqlOf }: Surroundings,
): Promise<DeliveryParts> {
  type Make = new (...parts: unknown[]) => object;
  const make = async (path: string, name: string, ...parts: unknown[]): Promise<object> => {
    const module = await load<Record<string, Make>>(`${path}.js`);
    const type = module[name];
    if (type === undefined) throw new Error(`${path} has no ${name}.`);
    return new type(...parts);
  };
  const of = (name: string): string => `${NOTIFICATIONS}/${name}`;
  const entity = async (path: string, name: string) =>
    database.getRepository((await load<Record<string, Make>>(`${path}.js`))[name] as Make);
  const webhooks = await entity('notifications/webhooks/webhook.entity', 'Webhook');
  const scheduleRows = await entity(of('webhook-schedule.entity'), 'WebhookSchedule');

  const sql = sqlOf(await make('database/sql', 'Sql', database));
  const queries = await make(of('sending/delivery-runs.queries'), 'DeliveryRunsQueries', sql);
  const asideQueries = await make(of('sending/objects-aside.queries'), 'ObjectsAsideQueries', sql);
  const rejectionsQueries = await make(of('sending/rejections.queries'), 'RejectionsQueries', sql);
  const scheduleQueries = await make(
    of('schedules/delivery-schedules.queries'),
    'DeliverySchedulesQueries',
    sql,
  );
  const schedules = await make(
    of('schedules/delivery-schedules.service'),
    'DeliverySchedules',
    scheduleRows,
    scheduleQueries,
    queue,
  );
  const events = await make(
    'events/events.service',
    'EventsService',
    await make('events/events.queries', 'EventsQueries', sql),
  );
  const changes = await make('notifications/webhooks/webhook-changes', 'WebhookChanges');
  const appChanges = await make('apps/apps/app-changes', 'AppChanges');
  const disabling = await make(
    'notifications/webhooks/webhook-disabling.service',
    'WebhookDisabling',
    webhooks,
    await make('notifications/webhooks/webhooks.queries', 'WebhooksQueries', sql),
    changes,
    appChanges,
  );
  const follower = await make(
    of('schedules/webhook-follower.service'),
    'WebhookFollower',
    changes,
    queries,
    asideQueries,
    schedules,
    events,
  );
  (follower as { onModuleInit(): void }).onModuleInit();

  const rests = await make(of('sending/receiver-rests.service'), 'ReceiverRests', queries, schedules, events);
  const aside = await make(of('sending/objects-aside.service'), 'ObjectsAside', asideQueries);
  const rejections = await make(of('sending/rejections.service'), 'Rejections', rejectionsQueries);
  const outcomes = await make(
    of('sending/delivery-outcomes.service'),
    'DeliveryOutcomes',
    { counter: () => undefined },
    queries,
    schedules,
    disabling,
    rejections,
    aside,
    rests,
  );
  const messages = await make(of('sending/delivery-messages'), 'DeliveryMessages', { find: () => undefined });
  const attempts = await make(
    of('sending/delivery-attempts.service'),
    'DeliveryAttempts',
    queries,
    outcomes,
    messages,
    sender,
    { open: () => ({ url: 'https://receiver.example', headers: {}, signingSecrets: [] }) },
    { run: (_limit: string, _tenant: string, work: () => Promise<unknown>) => work() },
  );
  const turns = await make(
    of('sending/delivery-turns.service'),
    'DeliveryTurns',
    queries,
    asideQueries,
    attempts,
  );
  const probes = await make(
    of('sending/receiver-probes.service'),
    'ReceiverProbes',
    queries,
    asideQueries,
    attempts,
    rests,
  );
  const runs = (await make(
    of('sending/delivery-runs.service'),
    'DeliveryRuns',
    queries,
    schedules,
    asideQueries,
    turns,
    attempts,
    probes,
    rests,
    queue,
  )) as { run(job: object): Promise<void> };

  const fanOutQueries = (await make(
    of('sending/delivery-fan-out.queries'),
    'DeliveryFanOutQueries',
    sql,
  )) as object;
  let notify: ((events: readonly { readonly id: string }[]) => Promise<void>) | null = null;
  const dispatched = { numbered: { register: (listener: typeof notify) => (notify = listener) } };
  const fanOut = await make(
    of('sending/delivery-fan-out.service'),
    'DeliveryFanOut',
    dispatched,
    fanOutQueries,
    schedules,
  );
  (fanOut as { onModuleInit(): void }).onModuleInit();
  const { transaction } = await load<typeof import('../../../../src/database/transactions/transaction.js')>(
    'database/transactions/transaction.js',
  );
  return {
    run: (job) => runs.run(job),
    fanOut: (ids) => transaction(async () => notify?.(ids.map((id) => ({ id })))),
  };
}
