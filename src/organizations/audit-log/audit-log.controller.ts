import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { Limits } from '../../common/background/limits.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { sendExport } from '../../common/http/send-export.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { NoStore } from '../../common/http/no-store.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { ActivitiesService } from '../activities/activities.service.js';
import {
  AuditEventDto,
  toAuditEventDto,
  ExportAuditEventsQuery,
  ListAuditEventsQuery,
} from './audit-event.dto.js';
import type { AuditEvent } from './audit-event.entity.js';
import { AuditLogService } from './audit-log.service.js';

@ApiTags('Audit log')
@Controller('organizations/:organizationId/audit-events')
export class AuditLogController {
  constructor(
    private readonly auditLog: AuditLogService,
    private readonly activities: ActivitiesService,
    private readonly limits: Limits,
  ) {}

  /** Lists the audit events of an organization, newest first: who changed what, and when. */
  @Get()
  @Requires('audit:read')
  @ApiPage(AuditEventDto)
  async list(
    @IdParam('organizationId') organizationId: string,
    @Query() query: ListAuditEventsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AuditEventDto[]> {
    return sendPage(response, query, await this.auditLog.list(organizationId, query), toAuditEventDto);
  }

  /**
   * Exports all matching audit events as a file with one JSON object per line (NDJSON), in the order of the list. The export
   * has any number of events, and begins with the event of itself.
   */
  @Get('export')
  @NoStore()
  @Requires('audit:read')
  @OwnTransactions()
  @ApiErrors('server_busy')
  @ApiOkResponse({
    description: 'One `AuditEventDto` per line.',
    content: { 'application/x-ndjson': { schema: { type: 'string' } } },
  })
  async export(
    @IdParam('organizationId') organizationId: string,
    @Query() query: ExportAuditEventsQuery,
    @Res() response: Response,
  ): Promise<void> {
    const file = { contentType: 'application/x-ndjson', name: `audit-events-${organizationId}.ndjson` };
    await this.limits.run('exports', organizationId, async () => {
      // The client has left while it waited.
      if (response.closed) return;
      await this.activities.record({ kind: 'audit-log-exported', organizationId });
      await sendExport(response, file, this.auditLog.export(organizationId, query), linesOf);
    });
  }

  /** Gets an audit event. */
  @Get(':auditEventId')
  @Requires('audit:read')
  async get(
    @IdParam('organizationId') organizationId: string,
    @IdParam('auditEventId') auditEventId: string,
  ): Promise<AuditEventDto> {
    return toAuditEventDto(await this.auditLog.get(organizationId, auditEventId));
  }
}

async function* linesOf(batches: AsyncIterable<AuditEvent[]>): AsyncGenerator<string> {
  for await (const batch of batches) yield batch.map(toLine).join('');
}

function toLine(event: AuditEvent): string {
  return `${JSON.stringify(toAuditEventDto(event))}\n`;
}
