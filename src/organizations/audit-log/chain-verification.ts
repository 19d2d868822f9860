import { AuditChain } from './audit-chain.entity.js';
import { AuditEvent } from './audit-event.entity.js';
import { type ChainedEvent, hashOf, NO_HASH } from './chain.js';
import { snapshot } from '../../database/transactions/transaction.js';
import { transactionalDataSource } from '../../database/transactions/transactional-data-source.js';
import { sql } from '../../database/sql.js';

/** Events that are read at once. */
const BATCH = 1000;

/** The newest event of a chain. */
export interface ChainHead {
  readonly organizationId: string;
  readonly sequence: number;
  readonly hash: string;
}

/** The result of verifying a chain. */
export interface ChainReport {
  /** The last event before the first problem; sequence 0 and 64 zeros when the first event has one. */
  readonly head: ChainHead;
  /** The first problem, as a sentence; `null`: none. */
  readonly problem: string | null;
}

type StoredEvent = ChainedEvent & { readonly hash: string };

/** Ids of all organizations with a chain or with events, also of deleted ones. */
export async function* chainedOrganizations(): AsyncGenerator<string> {
  for (let last = ''; ;) {
    const next = `SELECT organization_id AS id FROM %s WHERE $1 = '' OR organization_id > nullif($1, '')::uuid
                   ORDER BY organization_id LIMIT 1`;
    const [found] = await sql<{ id: string }>(
      `SELECT id FROM ((${next.replace('%s', 'audit_chains')}) UNION (${next.replace('%s', 'audit_events')})) AS ids
        ORDER BY id LIMIT 1`,
      [last],
    );
    if (found === undefined) return;
    yield (last = found.id);
  }
}

/**
 * Verifies the chain of an organization: recomputes every hash, in one snapshot, while the server may write to it.
 *
 * @param kept earlier heads of this chain, kept elsewhere: their events must be in it, unchanged
 */
export function verifyChain(organizationId: string, kept: readonly ChainHead[] = []): Promise<ChainReport> {
  return snapshot(async () => {
    const head = await transactionalDataSource().manager.findOneBy(AuditChain, { organizationId });
    let last: ChainHead = { organizationId, sequence: 0, hash: NO_HASH };
    for await (const event of events(organizationId)) {
      const problem = problemOf(event, last) ?? problemWithKept(event, kept);
      if (problem !== null) return { head: last, problem };
      last = { organizationId, sequence: event.sequence, hash: event.hash };
    }
    return { head: last, problem: problemAtEnd(last, head, kept) };
  });
}

async function* events(organizationId: string): AsyncGenerator<StoredEvent> {
  const { columns } = transactionalDataSource().getMetadata(AuditEvent);
  const selected = columns.map(({ databaseName, propertyName, type }) =>
    type === 'jsonb' ? `${databaseName}::text AS "${propertyName}"` : `${databaseName} AS "${propertyName}"`,
  );
  let after: number | null = null;
  for (;;) {
    const rows: StoredEvent[] = await sql(
      `SELECT ${selected.join(', ')} FROM audit_events
        WHERE organization_id = $1 AND ($2::bigint IS NULL OR sequence > $2) ORDER BY sequence LIMIT ${BATCH}`,
      [organizationId, after],
    );
    yield* rows;
    if (rows.length < BATCH) return;
    after = rows.at(-1)?.sequence ?? null;
  }
}

function problemOf(event: StoredEvent, last: ChainHead): string | null {
  const expected = last.sequence + 1;
  if (event.sequence !== expected) return `Event ${expected} is missing: event ${event.sequence} comes next.`;
  if (event.hash !== hashOf(event)) {
    return `Event ${expected} (${event.id}) was changed: its hash is not that of its content.`;
  }
  if (event.previousHash !== last.hash) {
    return `Event ${expected} (${event.id}) does not follow what is before it: one of them was replaced.`;
  }
  return null;
}

function problemWithKept({ sequence, hash }: StoredEvent, kept: readonly ChainHead[]): string | null {
  const differs = kept.some((head) => head.sequence === sequence && head.hash !== hash);
  return differs
    ? `Event ${sequence} is not the one whose hash was kept: it or one before it was rewritten.`
    : null;
}

function problemAtEnd(last: ChainHead, head: AuditChain | null, kept: readonly ChainHead[]): string | null {
  const newest = Math.max(0, ...kept.map(({ sequence }) => sequence));
  if (last.sequence < newest) {
    return `Events ${last.sequence + 1} to ${newest}, whose hash was kept, are missing at the end.`;
  }
  if (head === null) return 'The head of the chain is missing.';
  if (head.sequence > last.sequence) {
    return `Events ${last.sequence + 1} to ${head.sequence} are missing at the end.`;
  }
  return head.sequence === last.sequence && head.hash === last.hash
    ? null
    : `The head of the chain is not event ${last.sequence}, the last one: one of them was changed.`;
}
