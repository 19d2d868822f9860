import { Controller, Get, Query, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiTags } from '../common/openapi/api-tags.js';
import { ApiErrors } from '../common/errors/api-errors.decorator.js';
import { RateLimit } from '../common/access/rate-limit.decorator.js';
import { Public } from '../common/access/requires.decorator.js';
import { HealthDto, ReadinessQuery } from './health.dto.js';
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
  @Public()
  @RateLimit('none')
  live(): HealthDto {
    return { status: 'ok' };
  }

  /**
   * Reports whether the process can serve requests: the database responds, and the process is not stopping. With
   * `for=writes`, files can be stored, too: update checks go on without the storage.
   */
  @Get('ready')
  @Public()
  @RateLimit('none')
  @ApiErrors('insufficient_storage', 'storage_unavailable', 'unavailable')
  async ready(@Query() { for: purpose = 'all' }: ReadinessQuery): Promise<HealthDto> {
    await this.readiness.assert();
    if (purpose === 'writes') await this.storage.assertWritable();
    return { status: 'ok' };
  }
}
