import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Site } from '../../builders/identities.js';
import { cloneDatabase, dropDatabase, query, TEST_NAME } from '../../setup/databases.js';
import { problemsOfEvents } from '../../setup/event-checks.js';
import { type ServerProcess, startServer, type StartOptions } from '../../setup/server.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../eventually.js';
import { type SiteStorage, siteStorage } from './site-storage.js';

/** A server with a database and a `DATA_DIR` of its own, for tests that kill it or count what it keeps. */
export class OwnSite implements Site {
  private readonly strays = new Set<string>();
  /** Of `beside`. One that a failed test leaves would ask for its database for as long as others run. */
  private readonly others: ServerProcess[] = [];

  private constructor(
    readonly databaseUrl: string,
    readonly dataDir: string,
    private readonly env: Readonly<Record<string, string>>,
    private readonly storage: SiteStorage,
    public server: ServerProcess,
  ) {}

  /**
   * @param env further environment variables of the server
   * @param reach how the server reaches its database, when not directly
   * @param options how its process is started, where it is not the usual
   */
  static async start(
    env: Readonly<Record<string, string>> = {},
    reach: (databaseUrl: string) => Promise<string> = (url) => Promise.resolve(url),
    options: StartOptions = {},
  ): Promise<OwnSite> {
    const databaseUrl = await cloneDatabase(testEnvironment().templateUrl);
    const dataDir = await mkdtemp(join(tmpdir(), 'slipway-site-'));
    const variables = { ...env, DATABASE_URL: await reach(databaseUrl), DATA_DIR: dataDir };
    const storage = await siteStorage(dataDir);
    return new OwnSite(databaseUrl, dataDir, variables, storage, await startServer(variables, options));
  }

  /**
   * Another server on the same database and folder.
   *
   * @param env environment variables that are others there
   */
  static async beside(site: OwnSite, env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    const server = await startServer({ ...site.env, ...env });
    site.others.push(server);
    return server;
  }

  get origin(): string {
    return this.server.origin;
  }

  /**
   * Starts the server again, on another port; stops it first if it is running.
   *
   * @param env environment variables that are others now
   */
  async restart(env: Readonly<Record<string, string>> = {}): Promise<void> {
    if (this.server.isRunning) await this.server.stop();
    this.server = await startServer({ ...this.env, ...env });
  }

  /** Kills the server, and waits until the database has ended what it was still doing for it. */
  async kill(): Promise<void> {
    await this.server.kill();
    await eventually(async () => {
      const others = await this.query(
        `SELECT query FROM pg_stat_activity
          WHERE datname = current_database() AND backend_type = 'client backend' AND application_name <> $1`,
        [TEST_NAME],
      );
      expect(others).toEqual([]);
    });
  }

  /** Removes all rows and files, as if the site were new: much faster than a new one. Starts the server when it has ended. */
  async clear(): Promise<void> {
    // The server goes on with what it does by itself, in another order of tables: one of both may lose a deadlock.
    await eventually(() => this.empty());
    await this.storage.clear();
    this.strays.clear();
    await this.resume();
  }

  private async empty(): Promise<void> {
    await this.query(`
      DO $$ BEGIN
        -- Triggers that keep the audit log from being emptied are left out.
        PERFORM set_config('session_replication_role', 'replica', true);
        EXECUTE (
          SELECT 'TRUNCATE queue.job, ' || string_agg(oid::regclass::text, ', ') FROM pg_class
           WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname <> 'migrations'
        );
      END $$`);
  }

  /** Starts the server if it has ended. */
  async resume(): Promise<void> {
    if (!this.server.isRunning) await this.restart();
  }

  /** Fails when the server has crashed. */
  expectAlive(): void {
    const { exitCode, signalCode } = this.server.process;
    if ((exitCode ?? 0) !== 0 || signalCode !== null) {
      throw new Error(
        `The server has ended with ${exitCode ?? signalCode}:\n${this.server.log.slice(-20).join('\n')}`,
      );
    }
  }

  /** Kills its servers and removes all that they had. Fails when events of them do not fit their documents. */
  async dispose(): Promise<void> {
    for (const server of [this.server, ...this.others]) if (server.isRunning) await server.kill();
    const problems = await problemsOfEvents(this.databaseUrl);
    await dropDatabase(this.databaseUrl);
    await this.storage.clear();
    await rm(this.dataDir, { recursive: true, force: true });
    expect(problems.slice(0, 5)).toEqual([]);
  }

  query<T extends Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<T[]> {
    return query<T>(this.databaseUrl, sql, values);
  }

  /** Names of the files that are being written, or were when the server was killed. */
  incoming(): Promise<string[]> {
    return this.storage.incoming();
  }

  /** Ids of the objects in storage. */
  objects(): Promise<string[]> {
    return this.storage.objects();
  }

  /** Path of an object in storage. */
  pathOf(id: string): string {
    return join(this.dataDir, 'storage/objects/blobs', id.slice(-2), id);
  }

  /** The bytes of an object in storage. */
  read(id: string): Promise<Buffer> {
    return this.storage.read(id);
  }

  /** Ids of the rows that own an object: blobs, their variants, and parts of uploads. */
  async owners(): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      `SELECT id FROM blobs UNION ALL SELECT id FROM upload_parts
       UNION ALL SELECT object_id FROM blob_variants WHERE object_id IS NOT NULL`,
    );
    return rows.map(({ id }) => id).sort();
  }

  /**
   * Waits until storage and database agree: no row without its object, no object without its row, nothing
   * half-written. Retention removes what `deleted_objects` notes.
   */
  async expectTidy(): Promise<void> {
    this.expectAlive();
    const isNew = (id: string) => !this.strays.has(id);
    try {
      await eventually(async () => {
        expect(await this.incoming()).toEqual([]);
        const noted = await this.query<{ id: string }>('SELECT id FROM deleted_objects');
        const isKept = (id: string) => isNew(id) && !noted.some((each) => each.id === id);
        expect((await this.objects()).filter(isKept)).toEqual((await this.owners()).filter(isKept));
      });
    } catch (error) {
      // One failure each.
      for (const id of [...(await this.objects()), ...(await this.owners())]) this.strays.add(id);
      throw error;
    }
  }
}
