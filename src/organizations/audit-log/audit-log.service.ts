import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  And,
  type FindOperator,
  type FindOptionsWhere,
  LessThan,
  MoreThanOrEqual,
  type Repository,
} from 'typeorm';
import type { Page } from '../../common/pagination/page.js';
import { findOrThrow, findPage } from '../../database/rows.js';
import { AuditEvent } from './audit-event.entity.js';
import type { ExportAuditEventsQuery, ListAuditEventsQuery } from './audit-event.dto.js';

/** Events that an export reads at once. */
const BATCH = 200;

/** Reads the audit log, which only triggers of the database write. See ADR 12. */
@Injectable()
export class AuditLogService {
  constructor(@InjectRepository(AuditEvent) private readonly events: Repository<AuditEvent>) {}

  /** The audit events of an organization, newest first. */
  list(organizationId: string, query: ListAuditEventsQuery): Promise<Page<AuditEvent>> {
    return findPage(this.events, whereOf(organizationId, query), query, { sequence: 'DESC' });
  }

  /** @throws NotFoundError */
  get(organizationId: string, id: string): Promise<AuditEvent> {
    return findOrThrow(this.events, { organizationId, id });
  }

  /**
   * All events that match, newest first, in batches. Each continues where the one before ended, so concurrent writes
   * cause neither repeated nor missing events, and every batch costs the same.
   */
  async *export(organizationId: string, query: ExportAuditEventsQuery): AsyncGenerator<AuditEvent[]> {
    const where = whereOf(organizationId, query);
    for (let before = Number.MAX_SAFE_INTEGER; ;) {
      const batch = await this.events.find({
        where: { ...where, sequence: LessThan(before) },
        order: { sequence: 'DESC' },
        take: BATCH,
      });
      if (batch.length > 0) yield batch;
      if (batch.length < BATCH) return;
      before = batch.at(-1)?.sequence ?? 0;
    }
  }
}

function whereOf(
  organizationId: string,
  { action, objectType, objectId, userId, appId, from, to, requestId }: ExportAuditEventsQuery,
): FindOptionsWhere<AuditEvent> {
  const createdAt = within(from, to);
  const filters = { action, objectType, objectId, userId, appId, createdAt, requestId };
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  return { organizationId, ...Object.fromEntries(given) };
}

function within(from: Date | undefined, to: Date | undefined): FindOperator<Date> | undefined {
  const bounds: FindOperator<Date>[] = [];
  if (from !== undefined) bounds.push(MoreThanOrEqual(from));
  if (to !== undefined) bounds.push(LessThan(to));
  return bounds.length === 0 ? undefined : And(...bounds);
}
