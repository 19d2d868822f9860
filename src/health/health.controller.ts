import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { HealthCheckService, TypeOrmHealthIndicator } from '@nestjs/terminus';
import { RateLimit } from '../common/access/rate-limit.decorator.js';
import { Public } from '../common/access/requires.decorator.js';
import { ApiErrors } from '../common/errors/api-errors.decorator.js';
import { HealthDto } from './health.dto.js';
import { Readiness } from './readiness.js';

/** How long the database may take to answer, in milliseconds. */
const DATABASE_TIMEOUT = 2000;

@ApiTags('Health')
@Controller({ path: 'health', version: VERSION_NEUTRAL })
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly database: TypeOrmHealthIndicator,
    private readonly readiness: Readiness,
  ) {}

  /** The process answers. */
  @Get('live')
  @Public()
  @RateLimit('none')
  live(): HealthDto {
    return { status: 'ok' };
  }

  /** The process can serve requests: the database answers, and it is not shutting down. */
  @Get('ready')
  @Public()
  @RateLimit('none')
  @ApiErrors(503)
  async ready(): Promise<HealthDto> {
    this.readiness.assert();
    await this.health.check([() => this.database.pingCheck('database', { timeout: DATABASE_TIMEOUT })]);
    return { status: 'ok' };
  }
}
