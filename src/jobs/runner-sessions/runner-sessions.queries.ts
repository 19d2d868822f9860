import { Injectable } from '@nestjs/common';
import { hashToken } from '../../common/access/api-token.js';
import { Sql } from '../../database/sql.js';
import type { CreateRunnerSessionDto } from './runner-session.dto.js';

/** The runner behind a token. A class only so that decorated handlers can name it at run time. */
export abstract class CallingRunner {
  abstract readonly id: string;
  /** `null`: it serves all organizations. */
  abstract readonly organizationId: string | null;
}

@Injectable()
export class RunnerSessionsQueries {
  constructor(private readonly sql: Sql) {}

  /** @returns `null` for a token that is unknown or expired */
  async authenticate(token: string): Promise<CallingRunner | null> {
    const [found] = await this.sql.query<CallingRunner>(
      `SELECT id, organization_id AS "organizationId" FROM runners
        WHERE (hash = $1 OR (previous_hash = $1 AND previous_expires_at > now()))
          AND (expires_at IS NULL OR expires_at > now())`,
      [hashToken(token)],
    );
    return found ?? null;
  }

  /** Opens a session in place of the former one of the runner, of which there is one at most. */
  async open(id: string, runnerId: string, session: CreateRunnerSessionDto): Promise<void> {
    const { name = null, version, os, arch, platforms, stacks, labels, slots } = session;
    await this.sql.execute(
      `INSERT INTO runner_sessions (id, runner_id, name, version, os, arch, platforms, stacks, labels, slots)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       ON CONFLICT (runner_id) DO UPDATE SET id = excluded.id, name = excluded.name, version = excluded.version,
          os = excluded.os, arch = excluded.arch, platforms = excluded.platforms, stacks = excluded.stacks,
          labels = excluded.labels, slots = excluded.slots, created_at = now(), last_seen_at = now(), ended_at = NULL`,
      [id, runnerId, name, version, os, arch, platforms, stacks, labels, slots],
    );
  }

  /** Notes a contact. @returns whether the session is still that of the runner */
  async touch(id: string, runnerId: string): Promise<boolean> {
    const touched = await this.sql.execute(
      'UPDATE runner_sessions SET last_seen_at = now() WHERE id = $1 AND runner_id = $2 AND ended_at IS NULL',
      [id, runnerId],
    );
    return touched > 0;
  }

  /** Ends a session, if it is still that of the runner. */
  async end(id: string, runnerId: string): Promise<void> {
    await this.sql.execute(
      'UPDATE runner_sessions SET ended_at = now(), last_seen_at = now() WHERE id = $1 AND runner_id = $2 AND ended_at IS NULL',
      [id, runnerId],
    );
  }
}
