import { Injectable } from '@nestjs/common';
import type { SessionKind } from '../../common/access/session-token.js';
import { USE_RECORDED_EVERY } from '../../common/access/use-recorded-every.js';
import { Sql } from '../../database/sql.js';
import { USER_IS_ENABLED } from '../users/users.queries.js';
import { SESSION_IS_ALIVE } from './session-lifetime.js';
import type { SignIn } from './session.entity.js';

/** The session of a token that a request sent. */
export interface FoundSession extends SignIn {
  readonly id: string;
  readonly userId: string;
  /** Whether its use is due to be recorded. */
  readonly stale: boolean;
}

/** The columns of a `FoundSession`. @param interval the parameter with `USE_RECORDED_EVERY` */
const foundColumns = (interval: string): string =>
  `id, user_id AS "userId", method, second_factor_at AS "secondFactorAt", proved_at AS "provedAt",
   last_used_at < now() - ${interval}::interval AS stale`;

@Injectable()
export class SessionsQueries {
  constructor(private readonly sql: Sql) {}

  /** Finds a session of an enabled user that has not ended. @param hash of its token */
  async find(kind: SessionKind, hash: string): Promise<FoundSession | null> {
    const [found] = await this.sql.query<FoundSession>(
      `SELECT ${foundColumns('$3')} FROM sessions
        WHERE hash = $1 AND kind = $2 AND ${SESSION_IS_ALIVE} AND ${USER_IS_ENABLED}`,
      [hash, kind, USE_RECORDED_EVERY],
    );
    return found ?? null;
  }

  /** Those of several sessions that have not ended, and whose users are enabled. */
  findAll(ids: readonly string[]): Promise<FoundSession[]> {
    return this.sql.query(
      `SELECT ${foundColumns('$2')} FROM sessions
        WHERE id = ANY ($1) AND ${SESSION_IS_ALIVE} AND ${USER_IS_ENABLED}`,
      [ids, USE_RECORDED_EVERY],
    );
  }

  async deleteEnded(userId: string): Promise<void> {
    await this.sql.execute(`DELETE FROM sessions WHERE user_id = $1 AND NOT (${SESSION_IS_ALIVE})`, [userId]);
  }

  /** Records that a session is in use. */
  async recordUse(id: string): Promise<void> {
    await this.sql.execute('UPDATE sessions SET last_used_at = now() WHERE id = $1', [id]);
  }
}
