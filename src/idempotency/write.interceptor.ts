import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { defer, lastValueFrom, type Observable } from 'rxjs';
import type { Principal } from '../common/access/principal.js';
import { requestOriginOf } from '../common/request-origin/request-origin.js';
import { operationId } from '../common/openapi/operation-id.js';
import { requestIdOf } from '../common/http/request-id.middleware.js';
import { type Actor, actingAs } from '../database/actor.js';
import { Notifications, RELEASES } from '../database/notifications.js';
import { OWN_TRANSACTIONS } from '../database/own-transactions.decorator.js';
import { transaction } from '../database/transaction.js';
import { responseOf, replay } from './stored-response.js';
import { ClientGoneError } from './client-gone.error.js';
import { IdempotencyKeysService, type KeyedRequest } from './idempotency-keys.service.js';
import { type RepeatableRequest, repeatableRequest } from './repeatable-request.js';
import { UnconfirmedResponsesService } from './unconfirmed-responses.service.js';

type Handler = () => Promise<unknown>;
type CallerRequest = Request & { readonly user?: Principal };

/**
 * Runs every write of a known caller as one transaction that also keeps what was answered, so that a caller who did
 * not get the answer may ask again without harm.
 */
@Injectable()
export class WriteInterceptor implements NestInterceptor<unknown, unknown> {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: IdempotencyKeysService,
    private readonly unconfirmed: UnconfirmedResponsesService,
    private readonly notifications: Notifications,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    const ownTransactions = this.reflector.getAllAndOverride<boolean | undefined>(OWN_TRANSACTIONS, [
      context.getHandler(),
      context.getClass(),
    ]);
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (reads && !ownTransactions) return next.handle();
    const operation = operationId(context.getClass().name, context.getHandler().name);
    const handle: Handler = () => lastValueFrom(next.handle(), { defaultValue: undefined });
    return defer(async () => {
      const answer = await actingAs(actorOf(request, operation), () => {
        if (request.user === undefined) return handle();
        const handler: Handler = ownTransactions ? handle : () => transaction(handle);
        // Forms of our own pages are not repeated by programs.
        if (request.headers.authorization === undefined) return handler();
        const repeatable = repeatableRequest(request, request.user);
        if (repeatable === null) return handler();
        if (isKeyed(repeatable)) return this.once(repeatable, response, handle, ownTransactions === true);
        if (request.method !== 'POST' || ownTransactions) return handler();
        return this.atMostOnceDelivered(repeatable, response, handle);
      });
      this.notifyLocally(request);
      return answer;
    });
  }

  /** What the caller has changed of an app holds for its next request here, before the database has told everybody. */
  private notifyLocally({ params }: CallerRequest): void {
    if (typeof params['appId'] === 'string')
      this.notifications.notifyLocally(RELEASES, params['appId'].toLowerCase());
  }

  /** A request with a key: carried out the first time, answered the same afterwards. */
  private async once(
    request: KeyedRequest,
    response: Response,
    handle: Handler,
    ownTransactions: boolean,
  ): Promise<unknown> {
    const earlier = await this.keys.find(request);
    if (earlier !== null) return replay(response, earlier);
    // What waits for storage is done first; a repetition of it is harmless.
    const done = ownTransactions ? await handle() : undefined;
    const result = await transaction(async () => {
      const id = await this.keys.claim(request);
      if (id === null) return { taken: true } as const;
      const body = ownTransactions ? done : await handle();
      await this.keys.store(id, responseOf(response, body));
      return { taken: false, body } as const;
    });
    if (!result.taken) return result.body;
    const answer = await this.keys.find(request);
    return answer === null ? this.once(request, response, handle, ownTransactions) : replay(response, answer);
  }

  /** A POST without a key: undone when its caller has left, and answered again when the answer was lost. */
  private async atMostOnceDelivered(
    request: RepeatableRequest,
    response: Response,
    handle: Handler,
  ): Promise<unknown> {
    const lost = await this.unconfirmed.takeLost(request);
    if (lost !== null) {
      this.unconfirmed.forgetWhenDelivered(response, lost);
      return replay(response, lost);
    }
    const { kept, body } = await transaction(async () => {
      const body = await handle();
      const kept = await this.unconfirmed.keep(request, responseOf(response, body));
      if (!response.socket?.writable) throw new ClientGoneError();
      return { kept, body };
    });
    this.unconfirmed.forgetWhenDelivered(response, kept);
    return body;
  }
}

function isKeyed(request: RepeatableRequest): request is KeyedRequest {
  return request.key !== null;
}

function actorOf(request: CallerRequest, operation: string): Actor {
  const { user } = request;
  const { address, userAgent } = requestOriginOf(request, null);
  return {
    userId: user?.userId ?? null,
    tokenId: user?.tokenId ?? null,
    session: user?.sessionId !== undefined,
    address,
    userAgent,
    requestId: requestIdOf(request),
    operation,
  };
}
