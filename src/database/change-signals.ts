import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import pg from 'pg';
import { BackgroundTask } from '../common/background/background-task.js';
import { orAfter } from '../common/background/or-after.js';
import { compareClocks } from '../common/database-clock.js';
import { Config } from '../config/config.js';
import { READ_CLOCK } from './database-time.js';
import { KEEP_ALIVE_DELAY } from './schema/data-source-options.js';
import { onAnnouncement } from './transactions/announcements.js';
import { distrustConnections, setAway, suspectAway } from './transactions/transactional-data-source.js';
import { messageOf, reachability, unavailableReason } from './outages/unavailable.js';

/** Milliseconds between two heartbeats of the connection, and the time limit for the response. */
const HEARTBEAT = 2000;
const HEARTBEAT_TIMEOUT = 2000;
/** Milliseconds after which a lost connection is tried again. */
const RETRY_AFTER = 500;

/** Topic: what decides about the updates of an app has changed; the payload is its id. See the function `announce_release`. */
export const RELEASES = 'releases';

/**
 * Topic: channels of an app without deployments have changed; the payload is its id. No device gets another bundle, but the
 * explanation differs.
 */
export const EMPTY_CHANNELS = 'empty_channels';

/** Topic: counts of roll-backs have changed; the payload has them. See `announce_rollbacks`, and `readRollbacks`. */
export const ROLLBACKS = 'rollbacks';

/** Topic: a job can be taken by a runner; the payload is the id of its organization. */
export const JOBS = 'jobs';

/**
 * Topic: events got their positions; the payload has the ids of their organizations, separated by commas, or is empty when
 * there are too many.
 */
export const EVENTS = 'events';

/** Topic: what waits for people in an organization has changed without an event; the payload is its id. See `announce_inbox`. */
export const INBOX = 'inbox';

/** Receives the signals of a topic, a channel of PostgreSQL's `NOTIFY`. */
export interface TopicListener {
  /** Notifications arrive from now on. Called again after each lost connection: what was read before may be old. */
  connected(): Promise<void> | void;
  /** Notifications no longer arrive. Detected at most four seconds after the connection is cut. */
  lost(): void;
  notified(payload: string): void;
}

/**
 * Receives what transactions of all replicas announce with `NOTIFY`, over a connection of its own.
 *
 * It needs a session: a pooler that lends connections per transaction would drop every notification, so each
 * connection is tried with a notification to itself first.
 *
 * @see https://www.postgresql.org/docs/current/sql-notify.html
 */
@Injectable()
export class ChangeSignals extends BackgroundTask implements OnModuleInit {
  private readonly logger = new Logger(ChangeSignals.name);
  private readonly topics = new Map<string, TopicListener[]>();
  private client: pg.Client | null = null;
  private retry: NodeJS.Timeout | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private stopped = false;
  private connected = false;
  /** Whether the last connection was lost because no more data arrived. */
  private wasSilent = false;
  /** The cause of the current interruption that was logged last; `null`: there is none. */
  private logged: string | null = null;

  constructor(private readonly config: Config) {
    super();
  }

  onModuleInit(): void {
    onAnnouncement((topic, payload) => this.notifyLocally(topic, payload));
  }

  /** Whether signals arrive. */
  get isConnected(): boolean {
    return this.connected;
  }

  /** Subscribes to a topic; before `start`. */
  listen(topic: string, listener: TopicListener): void {
    this.topics.set(topic, [...(this.topics.get(topic) ?? []), listener]);
  }

  /** Notifies this process of what the database announces to all, or has announced. */
  notifyLocally(topic: string, payload: string): void {
    for (const listener of this.topics.get(topic) ?? []) listener.notified(payload);
  }

  /** Starts to listen. Never throws: if it is impossible, it retries. */
  override async start(): Promise<void> {
    const client = new pg.Client({
      ...(this.config.database.url === null ? {} : { connectionString: this.config.database.url }),
      application_name: 'slipway-listen',
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY,
      connectionTimeoutMillis: HEARTBEAT_TIMEOUT,
      query_timeout: HEARTBEAT_TIMEOUT,
    });
    this.client = client;
    client.on('error', (error) => this.lose(client, error));
    client.on('end', () => this.lose(client, new Error('Connection terminated.')));
    client.on('notification', ({ channel, payload = '' }) => this.notifyLocally(channel, payload));
    try {
      await this.connect(client);
      for (const topic of this.topics.keys()) await client.query(`LISTEN ${client.escapeIdentifier(topic)}`);
      await receivesItself(client);
      for (const listener of this.listeners()) {
        await listener.connected();
        // It was lost in the meantime: the next one begins with the first listener again.
        if (this.client !== client) return;
      }
      this.connected = true;
      this.logged = null;
      this.logger.log('Listening to changes');
      this.beat(client);
    } catch (error) {
      this.lose(client, error);
    }
  }

  /** Tries to connect, and lets the pool know when that is impossible: its callers need not wait to find out. */
  private async connect(client: pg.Client): Promise<void> {
    try {
      await client.connect();
      setAway(null);
      if (this.wasSilent) distrustConnections();
      this.wasSilent = false;
    } catch (error) {
      const reason = unavailableReason(error) ?? String(error);
      const server = reachability(error);
      if (server === 'unknown') suspectAway(reason);
      else setAway(server === 'away' ? reason : null);
      throw error;
    }
  }

  /** Once for each cause, not for each attempt. */
  private log(error: unknown): void {
    const reason = unavailableReason(error) ?? String(error);
    if (this.logged !== reason)
      this.logger.warn({ reason }, 'No change notifications until the connection is back');
    this.logged = reason;
  }

  private listeners(): TopicListener[] {
    return [...this.topics.values()].flat();
  }

  private beat(client: pg.Client): void {
    if (this.client !== client) return;
    this.heartbeat = setTimeout(() => {
      compareClocks(async () => (await client.query<{ now: Date }>(READ_CLOCK)).rows).then(
        () => this.beat(client),
        (error: unknown) => this.lose(client, error),
      );
    }, HEARTBEAT).unref();
  }

  /** Once for each client. */
  private lose(client: pg.Client, error: unknown): void {
    if (this.client !== client) return;
    this.client = null;
    // Not when a new connection fails.
    if (this.connected) this.wasSilent = messageOf(error) === 'Query read timeout';
    this.connected = false;
    clearTimeout(this.heartbeat);
    // A server that does not respond does not respond to a graceful end either.
    void client.end().catch(() => undefined);
    if (this.stopped) return;
    this.log(error);
    for (const listener of this.listeners()) listener.lost();
    this.retry = setTimeout(() => void this.start(), RETRY_AFTER).unref();
  }

  override async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    clearTimeout(this.heartbeat);
    // Nothing notices from now on that the database is there again, or that a connection is dead.
    setAway(null);
    distrustConnections();
    const { client } = this;
    if (client !== null) await orAfter(client.end(), HEARTBEAT_TIMEOUT, undefined).catch(() => undefined);
  }
}

/** @throws Error when a notification to this very connection does not arrive */
async function receivesItself(client: pg.Client): Promise<void> {
  const topic = 'slipway_self';
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const receive = ({ channel }: pg.Notification): void => {
    if (channel === topic) resolve();
  };
  const timer = setTimeout(() => {
    reject(new Error('Notifications do not arrive: LISTEN needs a connection without a pooler.'));
  }, HEARTBEAT_TIMEOUT);
  client.on('notification', receive);
  try {
    await client.query(`LISTEN ${topic}`);
    await client.query(`NOTIFY ${topic}`);
    await promise;
    await client.query(`UNLISTEN ${topic}`);
  } finally {
    clearTimeout(timer);
    client.off('notification', receive);
  }
}
