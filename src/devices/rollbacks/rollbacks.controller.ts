import { Controller, Delete, HttpCode, Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { AfterCheckIns } from '../../common/access/after-check-ins.decorator.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { RollbacksService } from './rollbacks.service.js';

@ApiTags('Devices')
@Controller('apps/:appId')
@AfterCheckIns()
export class RollbacksController {
  constructor(private readonly rollbacks: RollbacksService) {}

  /** Offers a bundle again to a device that has rolled it back, in every native version. Does nothing if it has not. */
  @Delete('devices/:deviceId/blocked-bundles/:bundleId')
  @ApiParam({ name: 'deviceId', description: 'Id that the device chose.', schema: { type: 'string' } })
  @ApiErrors('device_not_found')
  @HttpCode(204)
  @Requires('devices:write')
  async offerAgainToDevice(
    @CurrentApp() app: App,
    @Param('deviceId') deviceId: string,
    @IdParam('bundleId') bundleId: string,
  ): Promise<void> {
    await this.rollbacks.offerAgainToDevice(app.id, deviceId, bundleId);
  }

  /** Offers a bundle again to all devices that have rolled it back. Does nothing if none has. */
  @Delete('bundles/:bundleId/blocked-devices')
  @HttpCode(204)
  @Requires('devices:write')
  async offerAgain(@CurrentApp() app: App, @IdParam('bundleId') bundleId: string): Promise<void> {
    await this.rollbacks.offerAgain(app.id, bundleId);
  }
}
