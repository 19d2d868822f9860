import { Controller, Get, Query, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiSuccess } from '../common/openapi/api-success.decorator.js';
import { ApiTags } from '../common/openapi/api-tags.js';
import { ApiErrors } from '../common/errors/api-errors.decorator.js';
import { RateLimit } from '../common/access/rate-limit.decorator.js';
import { Public } from '../common/access/requires.decorator.js';
import { VERSION } from '../config/version.js';
import { HealthDto, ReadinessDto, ReadinessQuery } from './health.dto.js';
import { Readiness } from './readiness.js';
import { StorageReadiness } from './storage-readiness.js';

@ApiTags('Health')
@Controller({ path: 'health', version: VERSION_NEUTRAL })
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly storage: StorageReadiness,
  ) {}

  /** Reports that the process responds. */
  @Get('live')
  @ApiSuccess('The process responds.')
  @Public()
  @RateLimit('none')
  live(): HealthDto {
    return { status: 'ok' };
  }

  /**
   * Reports whether the process can serve requests. Without its database that is so while it answers update checks from
   * memory: then `status` is `degraded`. A process that is stopping is not ready.
   */
  @Get('ready')
  @ApiSuccess('The process can serve requests.')
  @Public()
  @RateLimit('none')
  @ApiErrors('database_unavailable', 'insufficient_storage', 'storage_unavailable', 'unavailable')
  async ready(@Query() { for: purpose = 'all' }: ReadinessQuery): Promise<ReadinessDto> {
    if (purpose === 'writes') await this.storage.assertWritable();
    return { status: (await this.readiness.check(purpose)) ? 'ok' : 'degraded', version: VERSION };
  }
}
