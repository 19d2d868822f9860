import { Controller, Get, Query } from '@nestjs/common';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { AfterCheckIns } from '../../common/access/after-check-ins.decorator.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { toWarningDtos, WarningDto } from '../../common/warnings/warning.dto.js';
import { DevicesService } from '../devices/devices.service.js';
import { UpdateDevicesQuery } from '../devices/update-device.dto.js';
import { ForceWarningsService } from './force-warnings.service.js';

/** Which devices to force. */
export class ForceWarningsQuery extends UpdateDevicesQuery {
  /** The channel that they would be forced to; absent: the one that each is forced to now. */
  @IsEmptyOr()
  @IsId()
  forcedAppChannelId?: string;
}

@ApiTags('Devices')
@Controller('apps/:appId/devices/warnings')
@AfterCheckIns()
export class ForceWarningsController {
  constructor(
    private readonly devices: DevicesService,
    private readonly warnings: ForceWarningsService,
  ) {}

  /**
   * What may surprise about a forced channel of devices, before or after it is set: a channel that is paused or expired, or
   * whose newest deployment goes to a part of the devices only.
   */
  @Get()
  @Requires('devices:read')
  @ApiErrors('channel_not_found', 'device_not_found')
  async list(@CurrentApp() app: App, @Query() query: ForceWarningsQuery): Promise<WarningDto[]> {
    const ids = await this.devices.idsOf(app.id, query);
    return toWarningDtos(await this.warnings.find(app.id, ids, query.forcedAppChannelId ?? null));
  }
}
