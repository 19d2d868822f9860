import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { defer, lastValueFrom, type Observable } from 'rxjs';
import type { Principal } from '../common/access/principal.js';
import { operationId } from '../common/openapi/operation-id.js';
import { actingAs } from '../database/transactions/actor.js';
import { ChangeSignals, RELEASES } from '../database/change-signals.js';
import { OWN_TRANSACTIONS } from '../database/transactions/own-transactions.decorator.js';
import { transaction } from '../database/transactions/transaction.js';
import { TWO_PHASES } from '../database/transactions/two-phases.decorator.js';
import { AppError } from '../common/errors/app-error.js';
import { actorOf } from './actor-of.js';
import { BodyHasher } from './body-hasher.js';
import { type JsonResponse, replay, responseOf } from './json-response.js';
import { type KeyedRequest, type RepeatableRequest, repeatableRequest } from './repeatable-request.js';
import { StoredResponsesService } from './stored-responses.service.js';

/** The client left before the response, so its write is undone. Only logs show this error. */
class ClientGoneError extends AppError {
  constructor() {
    super('The client closed the connection before the response.', 'client_closed_request');
  }
}

type Handler = () => Promise<unknown>;
/** Waits for what must not be waited for in a transaction. @returns the work that belongs into one */
type Preparation = () => Promise<Handler>;
/** `visit`: what `PageGuard` has found, for the pages. */
type CallerRequest = Request & { readonly user?: Principal; readonly visit?: object };

/**
 * Runs every write of an authenticated caller as one transaction, which also stores the response: a client that did not
 * receive it can safely send the request again.
 */
@Injectable()
export class WriteInterceptor implements NestInterceptor<unknown, unknown> {
  constructor(
    private readonly reflector: Reflector,
    private readonly stored: StoredResponsesService,
    private readonly bodies: BodyHasher,
    private readonly signals: ChangeSignals,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<CallerRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    const isMarked = (key: string): boolean =>
      this.reflector.getAllAndOverride<boolean>(key, [context.getHandler(), context.getClass()]) ?? false;
    const ownTransactions = isMarked(OWN_TRANSACTIONS);
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (reads && !ownTransactions) return next.handle();
    const operation = operationId(context.getClass().name, context.getHandler().name);
    const handle: Handler = () => lastValueFrom(next.handle(), { defaultValue: undefined });
    return defer(() =>
      actingAs(actorOf(request, operation), () => {
        if (request.user === undefined) return handle();
        const prepare = preparationOf(handle, ownTransactions, isMarked(TWO_PHASES));
        const handler: Handler = ownTransactions ? handle : async () => transaction(await prepare());
        // Browsers send the forms of our own pages, and do not repeat them.
        if (request.visit !== undefined) return handler();
        const repeatable = repeatableRequest(request, request.user, this.bodies);
        if (repeatable === null) return handler();
        if (isKeyed(repeatable)) return this.once(repeatable, response, prepare);
        if (request.method !== 'POST' || ownTransactions) return handler();
        return this.atMostOnceDelivered(repeatable, response, prepare);
      }),
    );
  }

  /** A request with a key: carried out the first time, replayed afterwards. */
  private async once(request: KeyedRequest, response: Response, prepare: Preparation): Promise<unknown> {
    const earlier = await this.stored.find(request);
    if (earlier !== null) return this.replay(response, earlier);
    const write = await prepare();
    const result = await transaction(async () => {
      const id = await this.stored.claim(request);
      if (id === null) return { taken: true } as const;
      const body = await write();
      await this.stored.store(id, responseOf(response, body));
      return { taken: false, body } as const;
    });
    if (!result.taken) return result.body;
    const first = await this.stored.find(request);
    return first === null ? this.once(request, response, prepare) : this.replay(response, first);
  }

  /** A POST without a key: undone when its client has left, and replayed when the response was lost. */
  private async atMostOnceDelivered(
    request: RepeatableRequest,
    response: Response,
    prepare: Preparation,
  ): Promise<unknown> {
    const lost = await this.stored.takeLost(request);
    if (lost !== null) {
      this.stored.deleteWhenDelivered(response, lost);
      return this.replay(response, lost);
    }
    const write = await prepare();
    const { unconfirmed, body } = await transaction(async () => {
      const body = await write();
      const unconfirmed = await this.stored.keep(request, responseOf(response, body));
      if (!response.socket?.writable) throw new ClientGoneError();
      return { unconfirmed, body };
    });
    this.stored.deleteWhenDelivered(response, unconfirmed);
    return body;
  }

  /** Another process may have carried it out, and announced it while this one did not receive signals. */
  private replay(response: Response, stored: JsonResponse): string | undefined {
    const { appId } = response.req.params;
    if (typeof appId === 'string') this.signals.notifyLocally(RELEASES, appId.toLowerCase());
    return replay(response, stored);
  }
}

function preparationOf(handle: Handler, ownTransactions: boolean, twoPhases: boolean): Preparation {
  if (twoPhases) return async () => (await handle()) as Handler;
  if (!ownTransactions) return () => Promise.resolve(handle);
  // Work that waits for storage comes first, outside the transaction; it is harmless to repeat.
  return async () => {
    const body = await handle();
    return () => Promise.resolve(body);
  };
}

function isKeyed(request: RepeatableRequest): request is KeyedRequest {
  return request.key !== null;
}
