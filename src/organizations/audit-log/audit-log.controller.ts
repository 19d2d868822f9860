import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
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

  /** What was changed in the organization, by whom and when, newest first. */
  @Get()
  @Requires('audit:read')
  @ApiPage(AuditEventDto)
  @ApiErrors(400)
  async list(
    @IdParam('organizationId') organizationId: string,
    @Query() query: ListAuditEventsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AuditEventDto[]> {
    return sendPage(response, query, await this.auditLog.list(organizationId, query), toAuditEventDto);
  }

  /**
   * All audit events that match, as one file with one JSON object in each line (NDJSON). The lines are those of the list,
   * in the same order, however many there are.
   */
  @Get('export')
  @NoStore()
  @Requires('audit:read')
  @ApiOkResponse({
    description: 'One `AuditEventDto` in each line.',
    content: { 'application/x-ndjson': { schema: { type: 'string' } } },
  })
  async export(
    @IdParam('organizationId') organizationId: string,
    @Query() query: ExportAuditEventsQuery,
    @Res() response: Response,
  ): Promise<void> {
    const batches = this.auditLog.export(organizationId, query);
    // What fails before the first line can still be answered as an error.
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

  /** One audit event. */
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
