import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type {
  OutboundRefusal,
  OutboundRefusedError,
} from '../../common/http/outbound/outbound-refused.error.js';

export interface StoreCallRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string | URL;
  /** Without credentials: see `bearer`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream needs the header `content-length`. */
  readonly body?: string | Uint8Array | Readable;
  /** Bytes of the response body that are read at most. @default 8 MiB */
  readonly maxBytes?: number;
  /** Milliseconds for everything. @default two minutes */
  readonly timeoutMs?: number;
  /** An access token. Only sent to a configured base URL, silently left out elsewhere. */
  readonly bearer?: string;
  /** The address itself gives access, as that of an upload does: its query is not recorded. */
  readonly isSecretAddress?: boolean;
}

/** The response, of any status: redirects are not followed. */
export interface StoreResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Calls of stores for one submission. */
export interface StoreSession {
  readonly organizationId: string;
  /** @throws StoreUnreachableError */
  call(request: StoreCallRequest): Promise<StoreResponse>;
}

/** For whom the calls are. */
export interface StoreCallOrigin {
  readonly organizationId: string;
  /** `null`: the calls are not recorded, as those of a check of a destination. */
  readonly submissionId: string | null;
  /** Milliseconds for each call at most: for those that a request of a client waits for. */
  readonly patienceMs?: number;
}

/** For calls that a request of a client waits for, in milliseconds. */
export const REQUEST_PATIENCE_MS = 20_000;

/**
 * A call of a store has no usable response: the network, the time limit, or the outbound guard. Whether the store did what
 * was asked is unknown.
 */
export class StoreUnreachableError extends Error {
  /** `url` and `address`: the guard refused the destination, and nothing was sent. */
  readonly kind: OutboundRefusal;

  /** @param cause one sentence that names the host at most */
  constructor(cause: OutboundRefusedError) {
    super(cause.reason, { cause });
    this.name = 'StoreUnreachableError';
    this.kind = cause.kind;
  }
}
