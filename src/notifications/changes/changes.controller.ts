import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { WaitingCallers } from '../../accounts/auth/waiting-callers.service.js';
import { Caller } from '../../common/access/caller.decorator.js';
import type { Principal } from '../../common/access/principal.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ScopedToApps } from '../../common/access/scoped-to-apps.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { NoStore } from '../../common/http/no-store.decorator.js';
import { ApiSuccess } from '../../common/openapi/api-success.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ChangeHintDto } from './change-hint.dto.js';
import { ChangesService } from './changes.service.js';

@ApiTags('Events')
@Controller('organizations/:organizationId/changes')
export class ChangesController {
  constructor(
    private readonly changes: ChangesService,
    private readonly callers: WaitingCallers,
  ) {}

  /**
   * Streams hints about what changes in an organization, as Server-Sent Events: each is a `ChangeHintDto` in JSON. Read what
   * you show when the stream begins, and an object again after a hint about it. The stream ends after ten minutes, or
   * earlier: connect again.
   */
  @Get()
  @ApiSuccess('Hints, as they come.')
  @Requires('events:read')
  @ScopedToApps()
  @NoStore()
  @ApiProduces('text/event-stream')
  @ApiExtraModels(ChangeHintDto)
  @ApiOkResponse({ schema: { type: 'string', example: 'data: {"appId":null,"kind":"member","id":"…"}\n\n' } })
  async open(
    @IdParam('organizationId') id: string,
    @Caller() caller: Principal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const organizationId = id.toLowerCase();
    await this.changes.open({ caller: this.callers.of(caller, request), organizationId }, response);
  }
}
