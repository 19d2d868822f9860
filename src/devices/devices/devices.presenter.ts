import { Injectable } from '@nestjs/common';
import { ChannelsPresenter } from '../../live-updates/channels/channels.presenter.js';
import { ChannelsService } from '../../live-updates/channels/channels.service.js';
import { CustomIds, hashCustomId } from '../check-ins/custom-ids.js';
import { RollbacksService } from '../rollbacks/rollbacks.service.js';
import { type DeviceExportDto, toDeviceExportDto } from './device-export.dto.js';
import { type DeviceDto, type DeviceReferences, toDeviceDto } from './device.dto.js';
import type { Device } from './device.entity.js';
import { DevicesQueries } from './devices.queries.js';

/** Shows devices together with what they last reported, as far as it still exists. */
@Injectable()
export class DevicesPresenter {
  constructor(
    private readonly queries: DevicesQueries,
    private readonly channels: ChannelsService,
    private readonly channelsPresenter: ChannelsPresenter,
    private readonly customIds: CustomIds,
    private readonly rollbacks: RollbacksService,
  ) {}

  /** @param devices of one app @param relations the requested relations: `appChannel`, `appBuild`, `offeredAppBuild` */
  async present(devices: readonly Device[], relations: readonly string[] = []): Promise<DeviceDto[]> {
    const references = await this.referencesOf(devices, relations);
    return devices.map((device) => toDeviceDto(device, references));
  }

  /** As `present`, for one device. */
  async presentOne(device: Device, relations?: readonly string[]): Promise<DeviceDto> {
    const [dto] = await this.present([device], relations);
    return dto as DeviceDto;
  }

  /** All data about devices. */
  async export(appId: string, devices: readonly Device[]): Promise<DeviceExportDto[]> {
    const ids = devices.map(({ id }) => id);
    const rollbacks = Map.groupBy(await this.rollbacks.ofDevices(appId, ids), ({ deviceId }) => deviceId);
    return devices.map((device) => toDeviceExportDto(device, rollbacks.get(device.id) ?? []));
  }

  private async referencesOf(
    devices: readonly Device[],
    relations: readonly string[],
  ): Promise<DeviceReferences> {
    const appId = devices[0]?.appId ?? null;
    const channels = await this.channels.getMany(
      devices.flatMap(({ channelId, forcedChannelId }) => [channelId ?? [], forcedChannelId ?? []].flat()),
    );
    const references = {
      channelNames: new Map(channels.map(({ id, name }) => [id, name])),
      deployments: await this.queries.buildsOfDeployments(
        appId,
        devices.flatMap(({ deploymentId }) => deploymentId ?? []),
      ),
      sameCustomId: await this.countsOfCustomIds(appId, devices),
      withOffered: relations.includes('offeredAppBuild'),
      ...(relations.includes('appBuild') && {
        builds: await this.queries.buildsOfBundles(
          appId,
          devices.flatMap(({ bundleId }) => bundleId ?? []),
        ),
      }),
    };
    if (!relations.includes('appChannel')) return references;
    const requested = new Set(devices.map(({ channelId }) => channelId));
    const shown = await this.channelsPresenter.present(channels.filter(({ id }) => requested.has(id)));
    return { ...references, channels: new Map(shown.map((channel) => [channel.id, channel])) };
  }

  /** How many devices have the custom id of each of these, by their ids: those with its hash, too, where it is in clear. */
  private async countsOfCustomIds(
    appId: string | null,
    devices: readonly Device[],
  ): Promise<ReadonlyMap<string, number>> {
    const named = devices.flatMap(({ id, customId, customIdHashed: isHashed }) =>
      customId === null ? [] : [{ id, customId, isHashed }],
    );
    if (appId === null || named.length === 0) return new Map();
    const key = await this.customIds.keyOf(appId);
    return this.queries.countsOfCustomIds(
      appId,
      named.map((device) => ({
        ...device,
        hash: key === null || device.isHashed ? null : hashCustomId(key, device.customId),
      })),
    );
  }
}
