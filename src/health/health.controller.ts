import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiTags } from '../common/openapi/api-tags.js';
import { ApiErrors } from '../common/errors/api-errors.decorator.js';
import { RateLimit } from '../common/access/rate-limit.decorator.js';
import { Public } from '../common/access/requires.decorator.js';
import { HealthDto } from './health.dto.js';
import { Readiness } from './readiness.js';

@ApiTags('Health')
@Controller({ path: 'health', version: VERSION_NEUTRAL })
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** Reports that the process responds. */
  @Get('live')
  @Public()
  @RateLimit('none')
  live(): HealthDto {
    return { status: 'ok' };
  }

  /** Reports whether the process can serve requests: the database responds, and the process is not stopping. */
  @Get('ready')
  @Public()
  @RateLimit('none')
  @ApiErrors('unavailable')
  async ready(): Promise<HealthDto> {
    await this.readiness.assert();
    return { status: 'ok' };
  }
}
