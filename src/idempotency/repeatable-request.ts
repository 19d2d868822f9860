import { createHash } from 'node:crypto';
import type { RawBodyRequest } from '@nestjs/common';
import type { Request } from 'express';
import type { Principal } from '../common/access/principal.js';
import { errorOf } from '../common/errors/app-error.js';
import type { BodyHasher } from './body-hasher.js';

/** A write that clients may send again, by what makes two of them the same. */
export interface RepeatableRequest {
  /** Id of the API token or the session. */
  readonly tokenId: string;
  /** SHA-256 of method and URL, such as `POST /v1/apps?organizationId=…`, in lower-case hexadecimal. */
  readonly routeHash: string;
  /** Hashes of the body: the first one is stored, and a stored one may be any of them. See `BodyHasher`. */
  readonly bodyHashes: readonly string[];
  /** The `Idempotency-Key`; `null`: none. */
  readonly key: string | null;
}

export type KeyedRequest = RepeatableRequest & { readonly key: string };

/** 1 to 255 printable ASCII characters. */
const VALID_KEY = /^[\x20-\x7e]{1,255}$/;

/**
 * Identifies a POST or PATCH with a JSON body or none; `null` for all other requests, which are harmless to repeat.
 *
 * @throws InvalidRequestError for a key that is empty, too long, or not printable ASCII
 */
export function repeatableRequest(
  request: Request,
  caller: Principal,
  bodies: BodyHasher,
): RepeatableRequest | null {
  if (request.method !== 'POST' && request.method !== 'PATCH') return null;
  if (request.is('multipart/form-data')) return null;
  const { rawBody } = request as RawBodyRequest<Request>;
  const key = request.headers['idempotency-key'];
  if (key !== undefined && (typeof key !== 'string' || !VALID_KEY.test(key))) {
    throw errorOf('invalid_idempotency_key');
  }
  return {
    tokenId: caller.tokenId,
    routeHash: sha256(`${request.method} ${request.originalUrl}`),
    bodyHashes: bodies.hash(rawBody ?? ''),
    key: key ?? null,
  };
}

function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}
