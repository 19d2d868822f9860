/** Why an outbound call has no usable response. */
export type OutboundRefusal =
  /** The text is no address that Slipway calls: another scheme, credentials in it, `http` without permission. */
  | 'url'
  /** The destination is not public, and `OUTBOUND_ALLOW` does not name it. */
  | 'address'
  /** The name of the host cannot be resolved. */
  | 'name'
  /** The host refuses or breaks the connection, or its certificate is not trusted. */
  | 'connection'
  /** The response was not complete in time. */
  | 'timeout'
  /** The response is larger than the caller accepts. */
  | 'size';

/**
 * A call to an address of a user failed. `reason` is one sentence for the user: it names the host at most, never
 * credentials, a query or the addresses that a name resolves to. Callers make a 400 or a failed job of it.
 */
export class OutboundRefusedError extends Error {
  constructor(
    readonly kind: OutboundRefusal,
    readonly reason: string,
  ) {
    super(reason);
    this.name = 'OutboundRefusedError';
  }
}
