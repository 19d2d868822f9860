import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { snapshot } from '../../database/transactions/transaction.js';
import { AuditChain } from './audit-chain.entity.js';
import { AuditChainsQueries, type ChainHead, type StoredEvent } from './audit-chains.queries.js';
import { hashOf, NO_HASH } from './chain.js';

/** The result of verifying a chain. */
export interface ChainReport {
  /** The last event before the first problem; sequence 0 and 64 zeros when the first event has one. */
  readonly head: ChainHead;
  /** The first problem, as a sentence; `null`: none. */
  readonly problem: string | null;
}

/** Verifies the chains of audit events. */
@Injectable()
export class ChainVerifier {
  constructor(
    @InjectRepository(AuditChain) private readonly chains: Repository<AuditChain>,
    private readonly queries: AuditChainsQueries,
  ) {}

  /** Ids of all organizations with a chain or with events, also of deleted ones. */
  organizationIds(): AsyncGenerator<string> {
    return this.queries.organizationIds();
  }

  /**
   * Verifies the chain of an organization: recomputes every hash, in one snapshot, while the server may write to it.
   *
   * @param kept earlier heads of this chain, kept elsewhere: their events must be in it, unchanged
   */
  verify(organizationId: string, kept: readonly ChainHead[] = []): Promise<ChainReport> {
    return snapshot(async () => {
      const head = await this.chains.findOneBy({ organizationId });
      let last: ChainHead = { organizationId, sequence: 0, hash: NO_HASH };
      for await (const event of this.queries.events(organizationId)) {
        const problem = problemOf(event, last) ?? problemWithKept(event, kept);
        if (problem !== null) return { head: last, problem };
        last = { organizationId, sequence: event.sequence, hash: event.hash };
      }
      return { head: last, problem: problemAtEnd(last, head, kept) };
    });
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
