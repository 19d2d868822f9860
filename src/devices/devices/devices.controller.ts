import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { AfterCheckIns } from '../../common/access/after-check-ins.decorator.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { isPrematureClose } from '../../common/http/is-premature-close.js';
import { NoStore } from '../../common/http/no-store.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendPage } from '../../common/pagination/page.js';
import { ApiDeviceId } from './api-device-id.decorator.js';
import { DeviceDto } from './device.dto.js';
import type { Device } from './device.entity.js';
import { DeletedDevicesDto, DeviceExportDto, toDeviceExportDto } from './device-export.dto.js';
import { DevicesPresenter } from './devices.presenter.js';
import { DevicesService } from './devices.service.js';
import { DevicesOfCustomIdQuery, GetDeviceQuery, ListDevicesQuery } from './list-devices-query.dto.js';
import { UpdateDeviceDto, UpdateDevicesQuery } from './update-device.dto.js';

@ApiTags('Devices')
@Controller('apps/:appId/devices')
@AfterCheckIns()
export class DevicesController {
  constructor(
    private readonly devices: DevicesService,
    private readonly presenter: DevicesPresenter,
  ) {}

  /** The devices of the app, last seen first. */
  @Get()
  @Requires('devices:read')
  @ApiPage(DeviceDto)
  async list(
    @CurrentApp() app: App,
    @Query() query: ListDevicesQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DeviceDto[]> {
    const { items, total } = await this.devices.list(app.id, query);
    return sendPage(response, query, { items: await this.presenter.present(items, query.relations), total });
  }

  /** Forces several devices to a channel, or no longer; all of them or none. */
  @Patch()
  @HttpCode(204)
  @Requires('devices:write')
  async updateMany(
    @CurrentApp() app: App,
    @Query() query: UpdateDevicesQuery,
    @Body() body: UpdateDeviceDto,
  ): Promise<void> {
    await this.devices.updateMany(app.id, query.ids, body);
  }

  /**
   * Forgets all devices of a custom id; they reappear with their next checks. What is deleted with them is all that is
   * known of them, as `GET …/devices/export` shows it.
   */
  @Delete()
  @Requires('devices:write')
  async deleteMany(
    @CurrentApp() app: App,
    @Query() query: DevicesOfCustomIdQuery,
  ): Promise<DeletedDevicesDto> {
    return { deleted: await this.devices.deleteOfCustomId(app.id, query.customId) };
  }

  /** All that is stored of all devices of a custom id, by their ids. */
  @Get('export')
  @NoStore()
  @Requires('devices:read')
  @ApiOkResponse({ type: [DeviceExportDto] })
  async exportMany(
    @CurrentApp() app: App,
    @Query() query: DevicesOfCustomIdQuery,
    @Res() response: Response,
  ): Promise<void> {
    const batches = this.devices.ofCustomId(app.id, query.customId);
    // What fails before the first device can still be answered as an error.
    const first = await batches.next();
    response.set({
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="devices-${app.id}.json"`,
    });
    if (response.req.method === 'HEAD') {
      response.end();
      return;
    }
    const parts = jsonArray(first.done ? [] : first.value, batches);
    try {
      await pipeline(Readable.from(parts, { objectMode: false }), response);
    } catch (error) {
      if (!isPrematureClose(error)) throw error;
    }
  }

  /** One device. */
  @Get(':deviceId')
  @ApiDeviceId()
  @Requires('devices:read')
  async get(
    @CurrentApp() app: App,
    @Param('deviceId') deviceId: string,
    @Query() query: GetDeviceQuery,
  ): Promise<DeviceDto> {
    return this.presenter.presentOne(await this.devices.get(app.id, deviceId), query.relations);
  }

  /** All that is stored of a device. */
  @Get(':deviceId/export')
  @NoStore()
  @ApiDeviceId()
  @Requires('devices:read')
  async export(@CurrentApp() app: App, @Param('deviceId') deviceId: string): Promise<DeviceExportDto> {
    return toDeviceExportDto(await this.devices.get(app.id, deviceId));
  }

  /** Forces a device to a channel, or no longer. */
  @Patch(':deviceId')
  @ApiDeviceId()
  @Requires('devices:write')
  async update(
    @CurrentApp() app: App,
    @Param('deviceId') deviceId: string,
    @Body() body: UpdateDeviceDto,
  ): Promise<DeviceDto> {
    return this.presenter.presentOne(await this.devices.update(app.id, deviceId, body));
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

async function* jsonArray(first: Device[], others: AsyncIterable<Device[]>): AsyncGenerator<string> {
  let separator = '[';
  const toPart = (device: Device): string => {
    const part = separator + JSON.stringify(toDeviceExportDto(device));
    separator = ',';
    return part;
  };
  yield first.map(toPart).join('');
  for await (const batch of others) yield batch.map(toPart).join('');
  yield separator === '[' ? '[]' : ']';
}
