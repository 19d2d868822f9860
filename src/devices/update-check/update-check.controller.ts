import { Controller, Get, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { OptionalToken } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { requestOriginOf } from '../../common/request-origin/request-origin.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { NoStore } from '../../common/http/no-store.decorator.js';
import { publicUrl } from '../../common/request-origin/public-url.js';
import { Config } from '../../config/config.js';
import { ApiUpdateCheck } from './api-update-check.decorator.js';
import { CheckCounts } from './check-counts.js';
import { toUpdateDto, UpdateDto } from './update.dto.js';
import { parseUpdateCheck } from './update-check-request.js';
import { UpdateCheckService } from './update-check.service.js';

@ApiTags('Devices: live updates')
@Controller('apps/:appId/bundles/latest')
export class UpdateCheckController {
  constructor(
    private readonly updates: UpdateCheckService,
    private readonly counts: CheckCounts,
    private readonly config: Config,
  ) {}

  /**
   * The bundle that a device shall run; the plugins compare it with the one they run. 404 means that there is none.
   * A check with a token is a probe: the device is not remembered as seen.
   */
  @Get()
  @NoStore()
  @OptionalToken()
  @RateLimit('devices')
  @ApiUpdateCheck()
  @ApiErrors(400, 404)
  async check(
    @IdParam('appId') appId: string,
    @Caller() caller: Principal | undefined,
    @Req() request: Request,
  ): Promise<UpdateDto> {
    const check = parseUpdateCheck(request.originalUrl, request.get('X-Capawesome-Device-Id'));
    const outcome = await this.updates.check(appId, check, {
      isProbe: caller !== undefined,
      country: requestOriginOf(request, this.config.http.countryHeader).country,
    });
    this.counts.express[outcome.result]++;
    if (outcome.result !== 'update') throw outcome.error;
    return toUpdateDto(appId, outcome.offer, publicUrl(this.config.http, request));
  }
}
