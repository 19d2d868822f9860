import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { BackgroundTask } from '../common/background/background-task.js';
import { InjectRepository } from '@nestjs/typeorm';
import type { Response } from 'express';
import type { Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { AppError } from '../common/errors/app-error.js';
import { SecretBox } from '../common/secrets/secret-box.js';
import { QueueService } from '../queue/queue.service.js';
import { differs } from './body-hasher.js';
import type { JsonResponse } from './json-response.js';
import type { KeyedRequest, RepeatableRequest } from './repeatable-request.js';
import { StoredResponse } from './stored-response.entity.js';
import { type ResponseRow, StoredResponsesQueries } from './stored-responses.queries.js';

/** How long a response takes at most to be sent and deleted, in milliseconds. */
const DELIVERY = 500;
/** A connection that breaks this soon after a response, in milliseconds, has not delivered it. */
const RESET_WITHIN = 250;

/** A stored response without a key. */
export interface UnconfirmedResponse extends JsonResponse {
  readonly id: string;
  readonly request: RepeatableRequest;
}

/** 422: the key belongs to another request. */
class KeyReusedError extends AppError {
  constructor() {
    super('This Idempotency-Key was used for a request with another body.', 'idempotency_key_reused');
  }
}

/**
 * The responses to writes, so that a client that did not receive one can send its request again. With a key: `find`,
 * `claim`, `store`. Without one: `takeLost`, `keep`, `deleteWhenDelivered`. See ADR 16.
 */
@Injectable()
export class StoredResponsesService extends BackgroundTask implements OnModuleInit {
  private readonly logger = new Logger(StoredResponsesService.name);
  private readonly deletions = new Set<Promise<void>>();

  constructor(
    @InjectRepository(StoredResponse) private readonly responses: Repository<StoredResponse>,
    private readonly queries: StoredResponsesQueries,
    private readonly box: SecretBox,
    private readonly queue: QueueService,
  ) {
    super();
  }

  onModuleInit(): void {
    this.queue.schedule({
      name: 'stored-responses',
      cron: '23 * * * *',
      timeoutSeconds: 900,
      run: () => this.queries.deleteExpired(),
    });
  }

  /**
   * The response to the first request with the key; `null`: there is none.
   *
   * @throws KeyReusedError when that request had another body
   */
  async find(request: KeyedRequest): Promise<JsonResponse | null> {
    const row = await this.queries.find(request);
    if (row === null) return null;
    if (differs(row.bodyHash, request.bodyHashes)) throw new KeyReusedError();
    return { status: row.status, json: this.open(row) };
  }

  /**
   * Claims the key for the running transaction. When another transaction has claimed it, waits until that one ends.
   *
   * @returns the id of the row; `null` when the other transaction was committed: `find` has its response
   * @throws ConflictError when the other transaction takes too long
   */
  claim(request: KeyedRequest): Promise<string | null> {
    return this.queries.claim(request);
  }

  /** Stores the response in the transaction that has claimed the key. */
  async store(id: string, { status, json }: JsonResponse): Promise<void> {
    await this.responses.update({ id }, { status, sealedBody: this.seal(id, json) });
  }

  /**
   * Takes the lost response to an identical request without a key; `null`: there is none. Waits when the response may
   * still be on its way to another client.
   */
  async takeLost(request: RepeatableRequest): Promise<UnconfirmedResponse | null> {
    const ids = await this.queries.lostIds(request);
    if (ids.length === 0) return null;
    await sleep(DELIVERY);
    const lost = await this.queries.takeLost(ids);
    return lost === null ? null : { id: lost.id, request, status: lost.status, json: this.open(lost) };
  }

  /** Stores the response to a request without a key, in the transaction of the write. */
  async keep(request: RepeatableRequest, response: JsonResponse): Promise<UnconfirmedResponse> {
    const unconfirmed = { id: uuid(), request, ...response };
    await this.insert(unconfirmed);
    return unconfirmed;
  }

  /**
   * Deletes a response once it has been sent, and stores it again when the connection breaks right after that. A
   * connection that brings another request in between has delivered it, whatever breaks that connection.
   */
  deleteWhenDelivered(response: Response, unconfirmed: UnconfirmedResponse): void {
    const { socket } = response;
    const received = socket?.bytesRead;
    response.once('finish', () => {
      const deletion = this.responses
        .delete({ id: unconfirmed.id })
        .then(async () => {
          await sleep(RESET_WITHIN, undefined, { ref: false });
          if (socket?.errored != null && socket.bytesRead === received) await this.insert(unconfirmed);
        })
        .catch((err: unknown) => this.logger.warn({ err }, 'A delivered response was not deleted'))
        .finally(() => this.deletions.delete(deletion));
      this.deletions.add(deletion);
    });
  }

  /** Waits for the last deletions before the database is closed. */
  override async stop(): Promise<void> {
    await Promise.all(this.deletions);
  }

  private async insert({ id, request, status, json }: UnconfirmedResponse): Promise<void> {
    const { tokenId, routeHash, key, bodyHashes } = request;
    const values = { tokenId, routeHash, key, bodyHash: bodyHashes[0] as string, status };
    await this.responses.insert({ id, ...values, sealedBody: this.seal(id, json) });
  }

  private seal(id: string, json: string | null): string | null {
    return json === null ? null : this.box.seal(json, contextOf(id));
  }

  private open({ id, sealedBody }: Pick<ResponseRow, 'id' | 'sealedBody'>): string | null {
    return sealedBody === null ? null : this.box.open(sealedBody, contextOf(id));
  }
}

const contextOf = (id: string): string => `stored_responses:${id}`;
