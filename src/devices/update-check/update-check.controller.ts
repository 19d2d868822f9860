import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { Caller } from '../../common/access/caller.decorator.js';
import { Principal } from '../../common/access/principal.js';
import { RateLimit } from '../../common/access/rate-limit.decorator.js';
import { OptionalToken } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { proxyTrustOf, requestOriginOf } from '../../common/request-origin/request-origin.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { NoStore } from '../../common/http/no-store.decorator.js';
import { publicUrl } from '../../common/request-origin/public-url.js';
import { Config } from '../../config/config.js';
import { countedConnectionOf } from '../check-ins/new-device-limits.js';
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
   * Checks for an update: returns the bundle that the device should run, or 404 if there is none. The plugin compares it
   * with its current bundle. A check with a token is a probe: it is not recorded as a check-in. Values that are too long to
   * be recorded (255 characters) do not stop the update.
   */
  @Get()
  @NoStore()
  @OptionalToken()
  @RateLimit('devices')
  @ApiUpdateCheck()
  @ApiErrors('channel_not_found', 'no_update')
  async check(
    @IdParam('appId') appId: string,
    @Caller() caller: Principal | undefined,
    @Req() request: Request,
  ): Promise<UpdateDto> {
    const check = parseUpdateCheck(request.originalUrl, request.get('X-Capawesome-Device-Id'));
    const outcome = await this.updates.check(appId, check, {
      isProbe: caller !== undefined,
      country: requestOriginOf(request, this.config.http.countryHeader).country,
      connection: countedConnectionOf(request, proxyTrustOf(request), this.config.devices),
    });
    this.counts.express[outcome.result]++;
    if (outcome.result !== 'update') throw outcome.error;
    return toUpdateDto(appId, outcome.offer, publicUrl(this.config.http, request));
  }
}
