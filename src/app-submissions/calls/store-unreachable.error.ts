import type {
  OutboundRefusal,
  OutboundRefusedError,
} from '../../common/http/outbound/outbound-refused.error.js';

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
