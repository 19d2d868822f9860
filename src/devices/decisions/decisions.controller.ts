import { Controller, Get, Param, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { AfterCheckIns } from '../../common/access/after-check-ins.decorator.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { ApiDeviceId } from '../devices/api-device-id.decorator.js';
import { ApiUpdateCheckQuery } from '../update-check/api-update-check.decorator.js';
import { parseUpdateCheck } from '../update-check/update-check-request.js';
import { DecisionDto } from './decision.dto.js';
import { DecisionsService } from './decisions.service.js';

@ApiTags('Decisions')
@Controller('apps/:appId')
@AfterCheckIns()
export class DecisionsController {
  constructor(private readonly decisions: DecisionsService) {}

  /** Which bundle a device would get with its next check, and why: from what it has reported with its last one. */
  @Get('devices/:deviceId/decision')
  @ApiDeviceId()
  @Requires('devices:read')
  @ApiErrors(400)
  forDevice(@CurrentApp() app: App, @Param('deviceId') deviceId: string): Promise<DecisionDto> {
    return this.decisions.forDevice(app.id, deviceId);
  }

  /**
   * Which bundle the device of an update check would get, and why. Takes the parameters of an update check; the device
   * need not be known.
   */
  @Get('decision')
  @Requires('deployments:read')
  @ApiUpdateCheckQuery()
  @ApiErrors(400)
  forCheck(@CurrentApp() app: App, @Req() request: Request): Promise<DecisionDto> {
    const { deviceId, report } = parseUpdateCheck(request.originalUrl);
    return this.decisions.forCheck(app.id, { ...report, deviceId });
  }
}
