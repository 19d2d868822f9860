import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, openSync, readFileSync, readlinkSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { builtDatabase } from '../../setup/built.js';
import { query } from '../../setup/databases.js';
import { eventually } from '../eventually.js';

/** As the package `libfaketime` of Debian installs it, for any processor. */
const [LIBRARY] = globSync('/usr/lib/*/faketime/libfaketime.so.1');

const SETTINGS = { fsync: 'off', full_page_writes: 'off', autovacuum_naptime: '10s' };

/** Times of jobs that are not over, and of their leases. */
const STORED = [
  [
    'jobs',
    ['created_at', 'queued_at', 'pending_at', 'in_progress_at'],
    `status IN ('queued', 'pending', 'in_progress')`,
  ],
  ['job_leases', ['granted_at', 'expires_at', 'logged_at'], 'true'],
] as const;

/**
 * A migrated PostgreSQL of a test's own whose clock the test moves while it runs: with libfaketime, which leaves the
 * monotonic clock alone. Without libfaketime, the stored times of jobs move the other way instead.
 */
export class ClockedPostgres {
  /** Milliseconds to add to times that are read from the database: 0 with libfaketime. */
  added = 0;
  private ahead = 0;

  private constructor(
    readonly url: string,
    private readonly folder: string,
    private readonly process: ChildProcess,
  ) {}

  /** Whether libfaketime moves the clock. `SIMULATION_CLOCK=stored` does without it. */
  static readonly isFaked = LIBRARY !== undefined && process.env['SIMULATION_CLOCK'] !== 'stored';

  /** @param dataDir an empty folder of the test */
  static async start(dataDir: string): Promise<ClockedPostgres> {
    const { migrate, startEmbeddedPostgres } = await builtDatabase();
    const usual = await startEmbeddedPostgres({ dataDir, settings: SETTINGS });
    await migrate(usual.url);
    const { dataFolder: folder, port, url } = usual;
    // The same program again, as the same user, but with libfaketime.
    const program = readlinkSync(
      `/proc/${readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]}/exe`,
    );
    await usual.stop();
    const settings = {
      ...SETTINGS,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '100',
    };
    const { uid, gid } = statSync(folder);
    const clock = join(folder, 'clock');
    writeFileSync(clock, '+0');
    const log = openSync(join(folder, 'server.log'), 'a');
    const server = spawn(
      program,
      [
        '-D',
        folder,
        '-p',
        String(port),
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      {
        uid,
        gid,
        cwd: folder,
        stdio: ['ignore', log, log],
        env: { LC_ALL: 'C', TZ: 'UTC', ...(ClockedPostgres.isFaked ? fakedTime(clock) : {}) },
      },
    );
    await eventually(() => query(url, 'SELECT 1'));
    return new ClockedPostgres(url, folder, server);
  }

  /** The lines that it has logged. */
  get log(): string[] {
    return readFileSync(join(this.folder, 'server.log'), 'utf8').trimEnd().split('\n');
  }

  /** Moves the clock at once. @param milliseconds negative: back */
  async move(milliseconds: number): Promise<void> {
    if (!ClockedPostgres.isFaked) {
      await this.moveStored(-milliseconds);
      this.added += milliseconds;
      return;
    }
    this.ahead += milliseconds;
    const clock = join(this.folder, 'clock');
    // Renamed, because PostgreSQL reads it all the time.
    writeFileSync(`${clock}.new`, `${this.ahead < 0 ? '-' : '+'}${Math.abs(this.ahead) / 1000}`, {
      mode: 0o644,
    });
    renameSync(`${clock}.new`, clock);
  }

  async stop(): Promise<void> {
    const exited = once(this.process, 'exit');
    this.process.kill('SIGINT');
    await exited;
    await rm(this.folder, { recursive: true, force: true });
  }

  private async moveStored(milliseconds: number): Promise<void> {
    for (const [table, columns, where] of STORED) {
      const changes = columns.map((column) => `${column} = ${column} + $1 * interval '1 millisecond'`);
      await query(this.url, `UPDATE ${table} SET ${changes.join(', ')} WHERE ${where}`, [milliseconds]);
    }
  }
}

function fakedTime(clock: string): Record<string, string> {
  return {
    LD_PRELOAD: LIBRARY as string,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DISABLE_SHM: '1',
  };
}
