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

/** How long a request waits for the same response on its way to another client, in milliseconds, and looks for it. */
const DELIVERY = 10_000;
const LOOK_EVERY = 100;
/** A connection that breaks this soon after a response, in milliseconds, has not delivered it. */
const RESET_WITHIN = 250;

/** No process is sending the response. */
const LOST = { senderPid: null };

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
  private readonly settling = new Set<Promise<unknown>>();

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
   * Takes the lost response to an identical request without a key; `null`: there is none. Waits while one is on its way
   * to another client, whose it is: a server under load can take seconds to send what it has committed.
   */
  async takeLost(request: RepeatableRequest): Promise<UnconfirmedResponse | null> {
    const ids = await this.queries.unconfirmedIds(request);
    if (ids.length === 0) return null;
    // Behind a pooler, the connection of a process that has ended stays: no response is waited for longer than this.
    for (let waited = 0; ; waited += LOOK_EVERY) {
      const lost = await this.queries.takeLost(ids, waited >= DELIVERY);
      if (lost !== null) return { id: lost.id, request, status: lost.status, json: this.open(lost) };
      if (!(await this.queries.areOpen(ids))) return null;
      await sleep(LOOK_EVERY);
    }
  }

  /** Stores the response to a request without a key, in the transaction of the write. */
  async keep(request: RepeatableRequest, response: JsonResponse): Promise<UnconfirmedResponse> {
    const unconfirmed = { id: uuid(), request, ...response };
    await this.insert(unconfirmed);
    return unconfirmed;
  }

  /**
   * Deletes a response once it has been sent, and stores it as lost when the connection breaks before or right after
   * that. A connection that brings another request in between has delivered it, whatever breaks that connection.
   */
  deleteWhenDelivered(response: Response, unconfirmed: UnconfirmedResponse): void {
    const { id } = unconfirmed;
    const { socket } = response;
    const received = socket?.bytesRead;
    const settle = (work: () => Promise<unknown>): void => {
      const settled = work()
        .catch((err: unknown) => this.logger.warn({ err }, 'A delivered response was not deleted'))
        .finally(() => this.settling.delete(settled));
      this.settling.add(settled);
    };
    const giveUp = (): void => settle(() => this.responses.update({ id }, LOST));
    if (response.closed) return giveUp();
    response.once('close', () => {
      if (!response.writableFinished) giveUp();
    });
    response.once('finish', () =>
      settle(async () => {
        await this.responses.delete({ id });
        await sleep(RESET_WITHIN, undefined, { ref: false });
        const isReset = socket?.errored != null && socket.bytesRead === received;
        if (isReset) await this.insert(unconfirmed, LOST);
      }),
    );
  }

  /** Waits for the last statements before the database is closed. */
  override async stop(): Promise<void> {
    await Promise.all(this.settling);
  }

  private async insert(
    { id, request, status, json }: UnconfirmedResponse,
    lost?: typeof LOST,
  ): Promise<void> {
    const { tokenId, routeHash, key, bodyHashes } = request;
    const values = { tokenId, routeHash, key, bodyHash: bodyHashes[0] as string, status, ...lost };
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
