import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { AfterCheckIns } from '../../common/access/after-check-ins.decorator.js';
import { Requires } from '../../common/access/requires.decorator.js';
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

  /**
   * Explains which bundle a device would get with its next check, and why. Uses what the device reported in its last
   * check.
   */
  @Get('devices/:deviceId/decision')
  @ApiDeviceId()
  @Requires('devices:read')
  forDevice(@CurrentApp() app: App, @Param('deviceId') deviceId: string): Promise<DecisionDto> {
    return this.decisions.forDevice(app.id, deviceId);
  }

  /**
   * Explains which bundle an update check with these parameters would get, and why. The device does not need to be known.
   */
  @Get('decision')
  @Requires('deployments:read')
  @ApiUpdateCheckQuery()
  forCheck(@CurrentApp() app: App, @Req() request: Request): Promise<DecisionDto> {
    const { deviceId, report } = parseUpdateCheck(request.originalUrl);
    return this.decisions.forCheck(app.id, { ...report, deviceId });
  }
}
