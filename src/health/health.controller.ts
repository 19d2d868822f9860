import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiSuccess } from '../common/openapi/api-success.decorator.js';
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
  @ApiSuccess('The process responds.')
  @Public()
  @RateLimit('none')
  live(): HealthDto {
    return { status: 'ok' };
  }

  /** Reports whether the process can serve requests: the database responds, and the process is not stopping. */
  @Get('ready')
  @ApiSuccess('The process can serve requests.')
  @Public()
  @RateLimit('none')
  @ApiErrors('unavailable')
  async ready(): Promise<HealthDto> {
    await this.readiness.assert();
    return { status: 'ok' };
  }
}
