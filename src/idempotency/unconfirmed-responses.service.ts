import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Response } from 'express';
import type { Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { SecretBox } from '../common/secrets/secret-box.js';
import type { StoredResponse } from './stored-response.js';
import type { RepeatableRequest } from './repeatable-request.js';
import { UnconfirmedResponse } from './unconfirmed-response.entity.js';
import { sql } from '../database/sql.js';

/** How long a lost answer is there for whoever asks again. */
const KEPT_FOR = '2 minutes';
/** An answer that was handed out again, and was lost again, is there for the next one after this long. */
const TAKEN_FOR = '5 seconds';
/** How long it takes at most until a delivered answer is forgotten, in milliseconds. */
const DELIVERY = 500;
/** A connection that breaks this soon after an answer, in milliseconds, has not delivered it. */
const RESET_WITHIN = 250;
/** One in so many answers also removes those that nobody asked for. */
const CLEANED_EVERY = 100;

/** An answer that may be lost. */
export interface KeptResponse extends StoredResponse {
  readonly id: string;
  readonly fingerprint: string;
}

/**
 * Answers to POSTs without a key. Clients repeat a request whose answer they did not get; it must not be carried out
 * twice. The answer is written by the transaction of the request and forgotten once it was sent: one that is still
 * there was lost, and is handed to one identical request.
 */
@Injectable()
export class UnconfirmedResponsesService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(UnconfirmedResponsesService.name);
  private readonly confirmations = new Set<Promise<void>>();

  constructor(
    @InjectRepository(UnconfirmedResponse) private readonly answers: Repository<UnconfirmedResponse>,
    private readonly box: SecretBox,
  ) {}

  /**
   * Takes the lost answer to an identical request; `null`: there is none. An answer that may still be under way to
   * somebody else is waited for.
   */
  async takeLost(request: RepeatableRequest): Promise<KeptResponse | null> {
    const fingerprint = fingerprintOf(request);
    const present = await sql<{ id: string }>(
      `SELECT id FROM unconfirmed_answers
        WHERE fingerprint = $1 AND created_at > now() - interval '${KEPT_FOR}'`,
      [fingerprint],
    );
    if (present.length === 0) return null;
    await sleep(DELIVERY);
    const [taken] = await sql<{ id: string; status: number; answer: string | null }>(
      `UPDATE unconfirmed_answers SET taken_at = now() WHERE id = (
         SELECT id FROM unconfirmed_answers
          WHERE id = ANY($1) AND coalesce(taken_at < now() - interval '${TAKEN_FOR}', true)
          ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING id, status, answer`,
      [present.map(({ id }) => id)],
    );
    if (taken === undefined) return null;
    const json = taken.answer && this.box.open(taken.answer, contextOf(taken.id));
    return { id: taken.id, fingerprint, status: taken.status, json };
  }

  /** Keeps an answer, in the transaction that it tells of. */
  async keep(request: RepeatableRequest, answer: StoredResponse): Promise<KeptResponse> {
    if (Math.random() * CLEANED_EVERY < 1) await this.clean();
    const kept = { id: uuid(), fingerprint: fingerprintOf(request), ...answer };
    await this.insert(kept);
    return kept;
  }

  /** Forgets an answer when it has been sent, and remembers it again when the connection breaks upon that. */
  forgetWhenDelivered(response: Response, kept: KeptResponse): void {
    const { socket } = response;
    response.once('finish', () => {
      const confirmation = this.answers
        .delete({ id: kept.id })
        .then(async () => {
          await sleep(RESET_WITHIN, undefined, { ref: false });
          if (socket?.errored != null) await this.insert(kept);
        })
        .catch((error: unknown) => this.logger.warn({ err: error }, 'An answer was not forgotten'))
        .finally(() => this.confirmations.delete(confirmation));
      this.confirmations.add(confirmation);
    });
  }

  /** Lets the last ones be forgotten before the database is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.confirmations);
  }

  private async insert({ id, fingerprint, status, json }: KeptResponse): Promise<void> {
    const answer = json === null ? null : this.box.seal(json, contextOf(id));
    await this.answers.insert({ id, fingerprint, status, answer });
  }

  private async clean(): Promise<void> {
    await sql(
      `DELETE FROM unconfirmed_answers WHERE id IN (
         SELECT id FROM unconfirmed_answers WHERE created_at < now() - interval '${KEPT_FOR}'
          LIMIT 1000 FOR UPDATE SKIP LOCKED)`,
    );
  }
}

const contextOf = (id: string): string => `unconfirmed_answers:${id}`;

function fingerprintOf({ tokenId, route, bodyHash }: RepeatableRequest): string {
  return createHash('sha256').update([tokenId, route, bodyHash].join('\0')).digest('hex');
}
