import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { errorOf } from '../common/errors/app-error.js';
import { postgresErrorOf } from '../database/postgres-error.js';
import { Sql } from '../database/sql.js';
import type { KeyedRequest, RepeatableRequest } from './repeatable-request.js';

/** How long a response with a key is replayed. Older rows are deleted. */
const KEPT_FOR = '24 hours';
/** How long a lost response waits for an identical request. */
const LOST_KEPT_FOR = '2 minutes';
/** How long a redelivered response is withheld from further identical requests: it may be lost again. */
const REDELIVERY = '5 seconds';
/** Of the ids in `$1`, those that were not redelivered a moment ago. */
const IS_OPEN = `stored.id = ANY($1)
  AND coalesce(stored.redelivered_at < now() - interval '${REDELIVERY}', true)`;
/** The connection that stored the response is open, and so its process runs. */
const IS_BEING_SENT = 'EXISTS (SELECT FROM pg_stat_activity WHERE pid = stored.sender_pid)';
/** How long a request waits for another one with the same key, in milliseconds. */
const KEY_WAIT = 5_000;
/** SQLSTATE. */
const LOCK_NOT_AVAILABLE = '55P03';

export interface ResponseRow {
  readonly id: string;
  readonly status: number;
  readonly sealedBody: string | null;
}

/** A response with a key, and the hash of the body of its request. */
export type KeyedResponseRow = ResponseRow & { readonly bodyHash: string };

@Injectable()
export class StoredResponsesQueries {
  constructor(private readonly sql: Sql) {}

  /** The response to the first request with the key. */
  async find({ tokenId, routeHash, key }: KeyedRequest): Promise<KeyedResponseRow | null> {
    const [row] = await this.sql.query<KeyedResponseRow>(
      `SELECT id, body_hash AS "bodyHash", status, sealed_body AS "sealedBody" FROM stored_responses
        WHERE token_id = $1 AND route_hash = $2 AND key = $3
          AND status IS NOT NULL AND created_at > now() - interval '${KEPT_FOR}'`,
      [tokenId, routeHash, key],
    );
    return row ?? null;
  }

  /**
   * Claims the key for the running transaction. When another transaction has claimed it, waits until that one ends.
   *
   * @returns the id of the row; `null` when the other transaction was committed: `find` has its response
   * @throws ConflictError when the other transaction takes too long
   */
  async claim({ tokenId, routeHash, key, bodyHashes }: KeyedRequest): Promise<string | null> {
    await this.sql.query(`SET LOCAL lock_timeout = ${KEY_WAIT}`);
    const [claimed] = await this.sql
      .query<{ id: string }>(
        `INSERT INTO stored_responses AS r (id, token_id, route_hash, key, body_hash) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (token_id, route_hash, key) DO UPDATE
           SET body_hash = excluded.body_hash, status = NULL, sealed_body = NULL, created_at = now()
         WHERE r.created_at <= now() - interval '${KEPT_FOR}'
         RETURNING id`,
        [uuid(), tokenId, routeHash, key, bodyHashes[0]],
      )
      .catch((error: unknown) => {
        throw postgresErrorOf(error).code === LOCK_NOT_AVAILABLE ? errorOf('idempotency_key_in_use') : error;
      });
    await this.sql.query('SET LOCAL lock_timeout = 0');
    return claimed?.id ?? null;
  }

  /** Ids of the responses to identical requests without a key, lost or on their way. */
  async unconfirmedIds({ tokenId, routeHash, bodyHashes }: RepeatableRequest): Promise<string[]> {
    const rows = await this.sql.query<{ id: string }>(
      `SELECT id FROM stored_responses
        WHERE token_id = $1 AND route_hash = $2 AND key IS NULL AND body_hash = ANY($3)
          AND created_at > now() - interval '${LOST_KEPT_FOR}'`,
      [tokenId, routeHash, bodyHashes],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Takes the first of these responses that is lost: the process that sends it has ended, or has given it up.
   *
   * @param anyway takes one also when its process may still be sending it
   */
  async takeLost(ids: readonly string[], anyway: boolean): Promise<ResponseRow | null> {
    const [lost] = await this.sql.query<ResponseRow>(
      `UPDATE stored_responses SET redelivered_at = now() WHERE id = (
         SELECT id FROM stored_responses AS stored
          WHERE ${IS_OPEN} AND ($2 OR NOT ${IS_BEING_SENT})
          ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING id, status, sealed_body AS "sealedBody"`,
      [ids, anyway],
    );
    return lost ?? null;
  }

  /** Whether one of these responses is lost, or on its way to the client that asked first. */
  async areOpen(ids: readonly string[]): Promise<boolean> {
    const [row] = await this.sql.query(`SELECT FROM stored_responses AS stored WHERE ${IS_OPEN} LIMIT 1`, [
      ids,
    ]);
    return row !== undefined;
  }

  /** Deletes responses that are no longer replayed. */
  async deleteExpired(): Promise<void> {
    await this.sql.execute(`DELETE FROM stored_responses WHERE created_at < now() - interval '${KEPT_FOR}'`);
  }
}
