import { createHash } from 'node:crypto';
import type { RawBodyRequest } from '@nestjs/common';
import type { Request } from 'express';
import type { Principal } from '../common/access/principal.js';
import { InvalidRequestError } from '../common/errors/app-error.js';

/** A write as far as it matters whether another one is the same. */
export interface RepeatableRequest {
  /** Id of the API token or the session. */
  readonly tokenId: string;
  /** Method and address, such as `POST /v1/apps?organizationId=…`. */
  readonly route: string;
  /** SHA-256 of the body in lower-case hexadecimal. */
  readonly bodyHash: string;
  /** What the caller has sent as `Idempotency-Key`; `null`: nothing. */
  readonly key: string | null;
}

/** 1 to 255 printable ASCII characters. */
const acceptable = /^[\x20-\x7e]{1,255}$/;

/**
 * What identifies a POST or PATCH with a JSON body or none; `null` for anything else: uploads are harmless to repeat.
 *
 * @throws InvalidRequestError for a key that is empty, too long, or not printable ASCII
 */
export function repeatableRequest(request: Request, caller: Principal): RepeatableRequest | null {
  if (request.method !== 'POST' && request.method !== 'PATCH') return null;
  if (request.is('multipart/form-data')) return null;
  const { rawBody } = request as RawBodyRequest<Request>;
  const key = request.headers['idempotency-key'];
  if (key !== undefined && (typeof key !== 'string' || !acceptable.test(key))) {
    throw new InvalidRequestError(
      'Idempotency-Key must be 1 to 255 printable ASCII characters.',
      'invalid_idempotency_key',
    );
  }
  return {
    tokenId: caller.tokenId,
    route: `${request.method} ${request.originalUrl}`,
    bodyHash: createHash('sha256')
      .update(rawBody ?? '')
      .digest('hex'),
    key: key ?? null,
  };
}
