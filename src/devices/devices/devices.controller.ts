import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiSuccess } from '../../common/openapi/api-success.decorator.js';
import { ApiTags } from '../../common/openapi/api-tags.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { CurrentApp } from '../../apps/app-access/current-app.decorator.js';
import { App } from '../../apps/apps/app.entity.js';
import { AfterCheckIns } from '../../common/access/after-check-ins.decorator.js';
import { Requires } from '../../common/access/requires.decorator.js';
import { Limits } from '../../common/background/limits.js';
import { sendExport } from '../../common/http/send-export.js';
import { NoStore } from '../../common/http/no-store.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { sendCursorPage, sendPage } from '../../common/pagination/page.js';
import { ApiDeviceId } from './api-device-id.decorator.js';
import { DeviceDto } from './device.dto.js';
import { DeletedDevicesDto, DeviceExportDto } from './device-export.dto.js';
import { DevicesPresenter } from './devices.presenter.js';
import { Consequences } from '../../common/warnings/consequences.js';
import { toWarningDtos } from '../../common/warnings/warning.dto.js';
import { TwoPhases } from '../../database/transactions/two-phases.decorator.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { ActivitiesService } from '../../organizations/activities/activities.service.js';
import { DevicesService } from './devices.service.js';
import {
  DeleteDevicesQuery,
  DevicesOfCustomIdQuery,
  GetDeviceQuery,
  ListDevicesQuery,
} from './list-devices-query.dto.js';
import { UpdateDeviceDto, UpdateDevicesQuery } from './update-device.dto.js';

@ApiTags('Devices')
@Controller('apps/:appId/devices')
@AfterCheckIns()
export class DevicesController {
  constructor(
    private readonly devices: DevicesService,
    private readonly presenter: DevicesPresenter,
    private readonly activities: ActivitiesService,
    private readonly limits: Limits,
    private readonly consequences: Consequences,
  ) {}

  /** Lists the devices of an app, last seen first. With `cursor`, pages of any list are read alike, and nothing is counted. */
  @Get()
  @Requires('devices:read')
  @ApiPage(DeviceDto, { byCursor: true })
  async list(
    @CurrentApp() app: App,
    @Query() query: ListDevicesQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DeviceDto[]> {
    if (query.cursor !== undefined) {
      const page = await this.devices.listByCursor(app.id, query.cursor, query);
      const items = await this.presenter.present(page.items, query.relations);
      return sendCursorPage(response, query, { items, next: page.next });
    }
    const { items, total } = await this.devices.list(app.id, query);
    return sendPage(response, query, { items: await this.presenter.present(items, query.relations), total });
  }

  /**
   * Sets or clears the forced channel of several devices: of all of them or none. They are those with some ids, or those with a
   * custom id, without devices that report it later.
   */
  @Patch()
  @HttpCode(204)
  @Requires('devices:write')
  @ApiErrors('channel_not_found', 'device_not_found')
  async updateMany(
    @CurrentApp() app: App,
    @Query() query: UpdateDevicesQuery,
    @Body() body: UpdateDeviceDto,
  ): Promise<void> {
    await this.devices.updateMany(app.id, query, body);
  }

  /**
   * Deletes all devices with a custom id, or those with some ids, and all data about them: see `GET …/devices/export`.
   * Requires one of the two. A device becomes known again with its next check.
   */
  @Delete()
  @ApiSuccess('The number of deleted devices.')
  @Requires('devices:write')
  async deleteMany(@CurrentApp() app: App, @Query() query: DeleteDevicesQuery): Promise<DeletedDevicesDto> {
    const deleted = await this.devices.deleteMany(app.id, query);
    await this.record(app, 'devices-erased', deleted);
    return { deleted };
  }

  /** Exports all data about the devices with a custom id, by device id. */
  @Get('export')
  @ApiSuccess('All data about the devices.')
  @NoStore()
  @OwnTransactions()
  @Requires('devices:read')
  @ApiErrors('server_busy')
  @ApiOkResponse({ type: [DeviceExportDto] })
  async exportMany(
    @CurrentApp() app: App,
    @Query() query: DevicesOfCustomIdQuery,
    @Res() response: Response,
  ): Promise<void> {
    const file = { contentType: 'application/json; charset=utf-8', name: `devices-${app.id}.json` };
    await this.limits.run('exports', app.organizationId, async () => {
      // The client has left while it waited.
      if (response.closed) return;
      await this.record(app, 'devices-exported', await this.devices.countOfCustomId(app.id, query.customId));
      await sendExport(response, file, this.exported(app.id, query.customId), jsonArray);
    });
  }

  /** Gets a device. */
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

  /** Exports all data about a device. */
  @Get(':deviceId/export')
  @ApiSuccess('All data about the device.')
  @NoStore()
  @OwnTransactions()
  @ApiDeviceId()
  @Requires('devices:read')
  async export(@CurrentApp() app: App, @Param('deviceId') deviceId: string): Promise<DeviceExportDto> {
    const [dto] = await this.presenter.export(app.id, [await this.devices.get(app.id, deviceId)]);
    await this.record(app, 'devices-exported', 1);
    return dto as DeviceExportDto;
  }

  /**
   * Sets or clears the forced channel of a device. The force chooses the channel and not the bucket: what the device gets
   * there still depends on the percentage of each deployment. `warnings` says what may surprise about it.
   */
  @Patch(':deviceId')
  @ApiDeviceId()
  @TwoPhases()
  @ApiOkResponse({ type: DeviceDto })
  @Requires('devices:write')
  @ApiErrors('channel_not_found')
  async update(
    @CurrentApp() app: App,
    @Param('deviceId') deviceId: string,
    @Body() body: UpdateDeviceDto,
  ): Promise<() => Promise<DeviceDto>> {
    const channelId = body.forcedAppChannelId ?? null;
    const warnings = await this.consequences.of(app, { kind: 'force', deviceId, channelId });
    return async () => {
      const device = await this.devices.update(app.id, deviceId, body);
      return { ...(await this.presenter.presentOne(device)), warnings: toWarningDtos(warnings) };
    };
  }

  /** Deletes a device. It becomes known again with its next check, without a forced channel. */
  @Delete(':deviceId')
  @ApiDeviceId()
  @HttpCode(204)
  @Requires('devices:write')
  async delete(@CurrentApp() app: App, @Param('deviceId') deviceId: string): Promise<void> {
    await this.devices.delete(app.id, deviceId);
    await this.record(app, 'devices-erased', 1);
  }

  /** Records what was done, without the ids of the devices and without the custom id. */
  private record(app: App, kind: 'devices-erased' | 'devices-exported', count: number): Promise<void> {
    return this.activities.record({ kind, organizationId: app.organizationId, appId: app.id, count });
  }

  private async *exported(appId: string, customId: string): AsyncGenerator<DeviceExportDto[]> {
    for await (const devices of this.devices.ofCustomId(appId, customId))
      yield this.presenter.export(appId, devices);
  }
}

async function* jsonArray(batches: AsyncIterable<DeviceExportDto[]>): AsyncGenerator<string> {
  let separator = '[';
  const toPart = (device: DeviceExportDto): string => {
    const part = separator + JSON.stringify(device);
    separator = ',';
    return part;
  };
  for await (const batch of batches) yield batch.map(toPart).join('');
  yield separator === '[' ? '[]' : ']';
}
