import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Sql } from '../../database/sql.js';
import { AuditEvent } from './audit-event.entity.js';
import type { ChainedEvent } from './chain.js';

/** Events that are read at once. */
const BATCH = 1000;

/** The newest event of a chain. */
export interface ChainHead {
  readonly organizationId: string;
  readonly sequence: number;
  readonly hash: string;
}

/** An event with its stored hash. */
export type StoredEvent = ChainedEvent & { readonly hash: string };

/** SQL of the chains of audit events. */
@Injectable()
export class AuditChainsQueries {
  constructor(
    private readonly sql: Sql,
    @InjectRepository(AuditEvent) private readonly auditEvents: Repository<AuditEvent>,
  ) {}

  /** The heads of chains with an event of the last two days. */
  recentHeads(): Promise<ChainHead[]> {
    return this.sql.query(
      `SELECT organization_id AS "organizationId", chain.sequence, chain.hash
         FROM audit_chains AS chain JOIN audit_events AS event USING (organization_id, sequence)
        WHERE event.created_at > now() - interval '2 days' ORDER BY organization_id`,
    );
  }

  /** Ids of all organizations with a chain or with events, also of deleted ones. */
  async *organizationIds(): AsyncGenerator<string> {
    for (let last = ''; ;) {
      const next = (table: string): string =>
        `SELECT organization_id AS id FROM ${table} WHERE $1 = '' OR organization_id > nullif($1, '')::uuid
          ORDER BY organization_id LIMIT 1`;
      const [found] = await this.sql.query<{ id: string }>(
        `SELECT id FROM ((${next('audit_chains')}) UNION (${next('audit_events')})) AS ids ORDER BY id LIMIT 1`,
        [last],
      );
      if (found === undefined) return;
      yield (last = found.id);
    }
  }

  /** The events of an organization, oldest first, in the form that their hashes cover. */
  async *events(organizationId: string): AsyncGenerator<StoredEvent> {
    const selected = this.auditEvents.metadata.columns.map(({ databaseName, propertyName, type }) =>
      type === 'jsonb'
        ? `${databaseName}::text AS "${propertyName}"`
        : `${databaseName} AS "${propertyName}"`,
    );
    let after: number | null = null;
    for (;;) {
      const rows: StoredEvent[] = await this.sql.query(
        `SELECT ${selected.join(', ')} FROM audit_events
          WHERE organization_id = $1 AND ($2::bigint IS NULL OR sequence > $2) ORDER BY sequence LIMIT ${BATCH}`,
        [organizationId, after],
      );
      yield* rows;
      if (rows.length < BATCH) return;
      after = rows.at(-1)?.sequence ?? null;
    }
  }
}
