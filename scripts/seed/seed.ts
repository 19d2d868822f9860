import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { builtInsights } from '../../test/setup/built.ts';
import * as history from './history.ts';
import type { Progress } from './progress.ts';
import * as rows from './rows.ts';
import { checkSizes, type Sizes } from './sizes.ts';

/** Rows that one transaction writes. */
const BATCH = 50_000;
/** Events that one transaction writes: the longer it is, the longer each of them takes. */
const EVENTS = 250;
/** Milliseconds. */
const DAY = 86_400_000;

/** Where the rows are. */
export interface Seeded {
  readonly organizationId: string;
  /** The app with the devices, channels, bundles and deployments. */
  readonly appId: string;
}

/**
 * Writes an organization of its own, with apps and all that belongs to them. Every user who existed before, and was not
 * seeded, owns it, so that its rows can be looked at. The rows are not in its audit log, only the events that were asked for.
 *
 * @param url of a migrated database; its user must own the tables
 * @throws Error for sizes that cannot be, before anything is written
 */
export async function seed(url: string, sizes: Sizes, progress: Progress = () => undefined): Promise<Seeded> {
  checkSizes(sizes);
  const client = new pg.Client({ connectionString: url, application_name: 'slipway (seed)' });
  await client.connect();
  try {
    return await new Seeding(client, progress).write(sizes);
  } finally {
    await client.end();
  }
}

class Seeding {
  private readonly organizationId = randomUUID();
  private readonly appId = randomUUID();
  private readonly client: pg.Client;
  private readonly progress: Progress;

  constructor(client: pg.Client, progress: Progress) {
    this.client = client;
    this.progress = progress;
  }

  async write(sizes: Sizes): Promise<Seeded> {
    const { organizationId, appId } = this;
    await this.createOrganization();
    await this.insert('apps', 1, sizes.apps, rows.apps, organizationId);
    await this.insert('other apps', 2, sizes.apps, rows.otherApps);
    await this.insert('channels', 1, sizes.channels, rows.channels);
    await this.insert('bundles', 1, sizes.bundles, rows.bundles);
    await this.insert('deployments', 1, sizes.deployments, rows.deployments, sizes.bundles, sizes.channels);
    await this.insert('devices', 1, sizes.devices, rows.devices, sizes.forcedDevices);
    if (sizes.historyDays > 0) await this.writeHistory(sizes);
    await this.insert('members', 1, sizes.members, rows.members, organizationId);
    await this.writeAuditEvents(sizes.auditEvents);
    // Also sets which pages hold nothing but visible rows, without which no index is enough.
    await this.client.query('VACUUM ANALYZE');
    return { organizationId, appId };
  }

  private async writeHistory({ historyDays, devices, deployments, bundles, channels }: Sizes): Promise<void> {
    if (deployments > 0)
      await this.insert('past offers', 1, deployments, history.deployments, historyDays, deployments);
    await this.insert('past check-ins', 1, devices, history.devices, historyDays, deployments, channels);
    if (bundles > 0) await this.insert('past downloads', 1, historyDays, history.downloads, devices, bundles);
    // As the server would have counted each day.
    const { WRITE_COUNTS } = await builtInsights();
    for (let ago = historyDays; ago > 0; ago--) {
      const day = new Date(Date.now() - ago * DAY).toISOString().slice(0, 10);
      await this.client.query(WRITE_COUNTS, [this.appId, day]);
      this.progress('past days', historyDays - ago + 1, historyDays);
    }
  }

  private async createOrganization(): Promise<void> {
    await this.unaudited(['organizations', 'members'], async () => {
      const id = this.organizationId;
      await this.client.query(
        `INSERT INTO organizations (id, name, slug) VALUES ($1::uuid, 'Seeded ' || $1, 'seeded-' || $1)`,
        [id],
      );
      await this.client.query(
        `INSERT INTO members (id, organization_id, user_id, role)
         SELECT gen_random_uuid(), $1, id, 'owner' FROM users WHERE email NOT LIKE 'seeded-%'`,
        [id],
      );
    });
  }

  /** Writes the numbers from the first to the last in batches. */
  private async insert(
    what: string,
    first: number,
    last: number,
    kinds: readonly rows.Rows[],
    ...parameters: unknown[]
  ): Promise<void> {
    const tables = [...new Set(kinds.map(({ table }) => table))];
    for (let from = first; from <= last; from += BATCH) {
      const to = Math.min(from + BATCH - 1, last);
      await this.unaudited(tables, async () => {
        for (const { sql } of kinds) {
          const used = parameters.filter((_, index) => sql.includes(`$${index + 4}`));
          await this.client.query(sql, [this.appId, from, to, ...used]);
        }
      });
      this.progress(what, to - first + 1, last - first + 1);
    }
  }

  /** Runs statements in one transaction whose changes of the tables are no events. */
  private async unaudited(tables: readonly string[], work: () => Promise<void>): Promise<void> {
    const triggers = await this.client.query<{ sql: string }>(
      `SELECT format('ALTER TABLE %s %%s TRIGGER %I', tgrelid::regclass, tgname) AS sql FROM pg_trigger
        WHERE tgrelid = ANY ($1::regclass[]) AND tgname IN ('audit_insert', 'audit_update')`,
      [tables],
    );
    const set = async (to: 'DISABLE' | 'ENABLE'): Promise<void> => {
      for (const { sql } of triggers.rows) await this.client.query(sql.replace('%s', to));
    };
    await this.client.query('BEGIN');
    try {
      await set('DISABLE');
      await work();
      await this.client.query('SET CONSTRAINTS ALL IMMEDIATE');
      await set('ENABLE');
      await this.client.query('COMMIT');
    } catch (error) {
      await this.client.query('ROLLBACK');
      throw error;
    }
  }

  /** Renames the app as often, so that the events are real ones and their chain holds. */
  private async writeAuditEvents(count: number): Promise<void> {
    for (let done = 0; done < count;) {
      const next = Math.min(EVENTS, count - done);
      await this.client.query(
        `DO $$ BEGIN
           FOR n IN ${done + 1}..${done + next} LOOP
             UPDATE apps SET name = 'Seeded (' || n || ')' WHERE id = '${this.appId}';
           END LOOP;
         END $$`,
      );
      done += next;
      this.progress('audit events', done, count);
    }
  }
}
