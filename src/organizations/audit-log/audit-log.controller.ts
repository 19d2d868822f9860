import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { isPrematureClose } from '../../common/http/is-premature-close.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { NoStore } from '../../common/http/no-store.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { AuditEventDto, toAuditEventDto } from './audit-event.dto.js';
import type { AuditEvent } from './audit-event.entity.js';
import { AuditLogService } from './audit-log.service.js';
import { ExportAuditEventsQuery, ListAuditEventsQuery } from './list-audit-events-query.dto.js';

@ApiTags('Audit log')
@Controller('organizations/:organizationId/audit-events')
export class AuditLogController {
  constructor(private readonly auditLog: AuditLogService) {}

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
   * has no limit.
   */
  @Get('export')
  @NoStore()
  @Requires('audit:read')
  @ApiOkResponse({
    description: 'One `AuditEventDto` per line.',
    content: { 'application/x-ndjson': { schema: { type: 'string' } } },
  })
  async export(
    @IdParam('organizationId') organizationId: string,
    @Query() query: ExportAuditEventsQuery,
    @Res() response: Response,
  ): Promise<void> {
    const batches = this.auditLog.export(organizationId, query);
    // A failure before the first line can still become an error response.
    const first = await batches.next();
    response.set({
      'Content-Type': 'application/x-ndjson',
      'Content-Disposition': `attachment; filename="audit-events-${organizationId}.ndjson"`,
    });
    if (response.req.method === 'HEAD') {
      response.end();
      return;
    }
    const lines = linesOf(first.done ? [] : first.value, batches);
    try {
      await pipeline(Readable.from(lines, { objectMode: false }), response);
    } catch (error) {
      if (!isPrematureClose(error)) throw error;
    }
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

async function* linesOf(first: AuditEvent[], others: AsyncIterable<AuditEvent[]>): AsyncGenerator<string> {
  yield first.map(toLine).join('');
  for await (const batch of others) yield batch.map(toLine).join('');
}

function toLine(event: AuditEvent): string {
  return `${JSON.stringify(toAuditEventDto(event))}\n`;
}
