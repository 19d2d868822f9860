import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query, Res } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { DeviceDto } from './device.dto.js';
import { DevicesQueries } from './devices.queries.js';
import { DevicesService } from './devices.service.js';
import { GetDeviceQuery, ListDevicesQuery } from './list-devices-query.dto.js';
import { UpdateDeviceDto, UpdateDevicesQuery } from './update-device.dto.js';

/** Documents the id in the path: unlike other ids, any text. */
const ApiDeviceId = (): MethodDecorator =>
  ApiParam({ name: 'deviceId', description: 'Id that the device has chosen.', schema: { type: 'string' } });

@ApiTags('Devices')
@Controller('apps/:appId/devices')
export class DevicesController {
  constructor(
    private readonly devices: DevicesService,
    private readonly queries: DevicesQueries,
  ) {}

  /** The devices of the app, last seen first. */
  @Get()
  @Requires('devices:read')
  @ApiPage(DeviceDto)
  @ApiErrors(400)
  async list(
    @CurrentApp() app: App,
    @Query() query: ListDevicesQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DeviceDto[]> {
    const { items, total } = await this.devices.list(app.id, query);
    return sendPage(response, query, { items: await this.queries.show(items, query.relations), total });
  }

  /** Forces several devices to a channel, or no longer; all of them or none. */
  @Patch()
  @HttpCode(204)
  @Requires('devices:write')
  @ApiErrors(400)
  async updateMany(
    @CurrentApp() app: App,
    @Query() query: UpdateDevicesQuery,
    @Body() body: UpdateDeviceDto,
  ): Promise<void> {
    await this.devices.updateMany(app.id, query.ids, body);
  }

  /** One device. */
  @Get(':deviceId')
  @ApiDeviceId()
  @Requires('devices:read')
  @ApiErrors(400)
  async get(
    @CurrentApp() app: App,
    @Param('deviceId') deviceId: string,
    @Query() query: GetDeviceQuery,
  ): Promise<DeviceDto> {
    return this.queries.showOne(await this.devices.get(app.id, deviceId), query.relations);
  }

  /** Forces a device to a channel, or no longer. */
  @Patch(':deviceId')
  @ApiDeviceId()
  @Requires('devices:write')
  @ApiErrors(400)
  async update(
    @CurrentApp() app: App,
    @Param('deviceId') deviceId: string,
    @Body() body: UpdateDeviceDto,
  ): Promise<DeviceDto> {
    return this.queries.showOne(await this.devices.update(app.id, deviceId, body));
  }

  /** Forgets a device; it reappears with its next check, without forced channel. */
  @Delete(':deviceId')
  @ApiDeviceId()
  @HttpCode(204)
  @Requires('devices:write')
  async delete(@CurrentApp() app: App, @Param('deviceId') deviceId: string): Promise<void> {
    await this.devices.delete(app.id, deviceId);
  }
}
