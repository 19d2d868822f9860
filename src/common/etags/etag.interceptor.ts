import { createHash } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { sentTagPrefix } from './version.js';

/**
 * Sets the `ETag` of GET responses to callers with a token; Express then responds 304 when `If-None-Match` has it.
 * Nothing is done where there is no caller (devices), no body (streams), or where the handler has said itself how the
 * response may be kept, unless it is one of a versioned object.
 */
@Injectable()
export class ETagInterceptor implements NestInterceptor<unknown, unknown> {
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request & { user?: unknown }>();
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!reads || request.user === undefined) return next.handle();
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(map((body) => tagged(response, body)));
  }
}

/** Serializes here, once for the hash and for sending: Nest sends a text unchanged. */
function tagged(response: Response, body: unknown): unknown {
  const prefix = sentTagPrefix(response);
  const isDecided = response.hasHeader('Cache-Control');
  if (body === undefined || response.headersSent || (isDecided && prefix === '')) return body;
  const json = JSON.stringify(body);
  response.set({
    ETag: etagOf(json, response.get('X-Total-Count') ?? response.get('Link'), prefix),
    ...(isDecided ? {} : { 'Cache-Control': 'private, no-cache' }),
    'Content-Type': 'application/json; charset=utf-8',
  });
  return json;
}

/**
 * The strong entity tag of a JSON response.
 *
 * @param json the body as it is sent
 * @param total the header `X-Total-Count`, for lists; `Link`, for pages by a cursor
 * @param prefix what identifies the object and its version, see `sendVersioned`
 */
function etagOf(json: string, total = '', prefix = ''): string {
  const hash = createHash('sha256').update(total).update('\n').update(json);
  return `"${prefix}${hash.digest('base64url').slice(0, 27)}"`;
}
