import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { AppError, ConflictError } from '../common/errors/app-error.js';
import { SecretBox } from '../common/secrets/secret-box.js';
import { postgresErrorOf } from '../database/postgres-error.js';
import type { StoredResponse } from './stored-response.js';
import { IdempotencyKey } from './idempotency-key.entity.js';
import type { RepeatableRequest } from './repeatable-request.js';
import { sql } from '../database/sql.js';

/** How long a key is remembered. */
const KEPT_FOR = '24 hours';
/** How long a request waits for another one with the same key, in milliseconds. */
const WAIT = 5_000;
/** One in so many keys also removes those that are forgotten. */
const CLEANED_EVERY = 100;
/** SQLSTATE. */
const LOCK_NOT_AVAILABLE = '55P03';

/** A request with a key. */
export type KeyedRequest = RepeatableRequest & { readonly key: string };

/** 422: the key belongs to another request. */
class KeyReusedError extends AppError {
  constructor() {
    super('This Idempotency-Key was used for a request with another body.', 'idempotency_key_reused');
  }
}

/** What was answered to the requests that carried an `Idempotency-Key`. */
@Injectable()
export class IdempotencyKeysService {
  constructor(
    @InjectRepository(IdempotencyKey) private readonly keys: Repository<IdempotencyKey>,
    private readonly box: SecretBox,
  ) {}

  /**
   * The answer to the first use of the key, if it was used.
   *
   * @throws KeyReusedError when that request had another body
   */
  async find(request: KeyedRequest): Promise<StoredResponse | null> {
    const [row] = await sql<{ id: string; body_hash: string; status: number; answer: string }>(
      `SELECT id, body_hash, status, answer FROM idempotency_keys
        WHERE token_id = $1 AND route = $2 AND key = $3
          AND status IS NOT NULL AND created_at > now() - interval '${KEPT_FOR}'`,
      [request.tokenId, request.route, request.key],
    );
    if (row === undefined) return null;
    if (row.body_hash !== request.bodyHash) throw new KeyReusedError();
    return { status: row.status, json: row.answer && this.box.open(row.answer, contextOf(row.id)) };
  }

  /**
   * Takes the key for the running transaction, or waits for the one that has it.
   *
   * @returns the row; `null` when the other one was committed: `find` has its answer
   * @throws ConflictError when the other one takes too long
   */
  async claim(request: KeyedRequest): Promise<string | null> {
    if (Math.random() * CLEANED_EVERY < 1) await this.clean();
    const { tokenId, route, key, bodyHash } = request;
    await sql(`SET LOCAL lock_timeout = ${WAIT}`);
    const [claimed] = await sql<{ id: string }>(
      `INSERT INTO idempotency_keys AS k (id, token_id, route, key, body_hash) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (token_id, route, key) DO UPDATE
           SET body_hash = excluded.body_hash, status = NULL, answer = NULL, created_at = now()
         WHERE k.created_at <= now() - interval '${KEPT_FOR}'
         RETURNING id`,
      [uuid(), tokenId, route, key, bodyHash],
    ).catch((error: unknown) => {
      throw postgresErrorOf(error).code === LOCK_NOT_AVAILABLE ? inUse() : error;
    });
    await sql('SET LOCAL lock_timeout = 0');
    return claimed?.id ?? null;
  }

  /** Keeps the answer, in the transaction that has claimed the key. */
  async store(id: string, { status, json }: StoredResponse): Promise<void> {
    const answer = json === null ? null : this.box.seal(json, contextOf(id));
    await this.keys.update({ id }, { status, answer });
  }

  /** Those that another request holds are skipped: nothing waits here. */
  private async clean(): Promise<void> {
    await sql(
      `DELETE FROM idempotency_keys WHERE id IN (
         SELECT id FROM idempotency_keys WHERE created_at < now() - interval '${KEPT_FOR}'
          LIMIT 1000 FOR UPDATE SKIP LOCKED)`,
    );
  }
}

const contextOf = (id: string): string => `idempotency_keys:${id}`;

function inUse(): AppError {
  return new ConflictError(
    'A request with this Idempotency-Key is still being handled.',
    'idempotency_key_in_use',
  );
}
