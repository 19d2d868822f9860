import { createHash } from 'node:crypto';

/** The `previousHash` of the first event. */
export const NO_HASH = '0'.repeat(64);

/** An event as it is hashed. */
export interface ChainedEvent {
  readonly id: string;
  readonly organizationId: string;
  readonly sequence: number;
  readonly createdAt: Date;
  readonly action: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly objectName: string | null;
  readonly appId: string | null;
  readonly userId: string | null;
  readonly userEmail: string | null;
  readonly tokenId: string | null;
  readonly sessionId: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  readonly operation: string | null;
  /** The text of the `jsonb`, as PostgreSQL writes it. */
  readonly before: string | null;
  readonly after: string | null;
  readonly previousHash: string;
}

/**
 * The hash of an event: SHA-256, in lower-case hexadecimal, over the hash before it, a line feed, and the fields as
 * PostgreSQL writes a `jsonb` array. The function `audit_hash` of the database does the same when the event is written;
 * the verification does not call it, because an attacker could have replaced it.
 */
export function hashOf(event: ChainedEvent): string {
  return createHash('sha256')
    .update(`${event.previousHash}\n${canonicalText(event)}`)
    .digest('hex');
}

function canonicalText(event: ChainedEvent): string {
  const fields = [
    JSON.stringify(event.id),
    JSON.stringify(event.organizationId),
    String(event.sequence),
    JSON.stringify(event.createdAt),
    ...[event.action, event.objectType, event.objectId, event.objectName, event.appId].map(text),
    ...[event.userId, event.userEmail, event.tokenId, event.sessionId, event.address].map(text),
    ...[event.userAgent, event.requestId, event.operation].map(text),
    event.before ?? 'null',
    event.after ?? 'null',
  ];
  return `[${fields.join(', ')}]`;
}

/** PostgreSQL escapes the same characters in the same way. */
function text(value: string | null): string {
  return JSON.stringify(value);
}
