import { Injectable } from '@nestjs/common';
import { invalidField, NotFoundError } from '../../common/errors/app-error.js';
import { ChannelsService } from '../../live-updates/channels/channels.service.js';
import { DeploymentsService } from '../../live-updates/deployments/deployments.service.js';
import { SeenMaximaService } from '../../live-updates/deployments/seen-maxima.service.js';
import type { ReleaseTable } from '../releases/release-table.js';
import { ReleaseTableLoader } from '../releases/release-table-loader.js';
import { withMaxima } from '../releases/version-maxima.js';
import type { CreateSimulationDto } from './create-simulation.dto.js';
import {
  deleting,
  deploying,
  forcing,
  pausing,
  rollingOut,
  type SimulatedChange,
} from './simulated-change.js';
import { SimulationsQueries } from './simulations.queries.js';

/** Finds out what a change would do to the release table. Refuses what the change itself would be refused for. */
@Injectable()
export class SimulatedChangesService {
  constructor(
    private readonly tables: ReleaseTableLoader,
    private readonly channels: ChannelsService,
    private readonly deployments: DeploymentsService,
    private readonly maxima: SeenMaximaService,
    private readonly queries: SimulationsQueries,
  ) {}

  /** @throws NotFoundError @throws InvalidRequestError */
  async prepare(appId: string, values: CreateSimulationDto, now: Date): Promise<SimulatedChange> {
    const table = await this.load(appId);
    switch (values.change) {
      case 'deploy':
        return this.deploy(table, values, now);
      case 'rollout': {
        const { id, channelId } = await this.deployments.getOfChannel(appId, values.appDeploymentId);
        return rollingOut(table, channelId, id, values.rolloutPercentage ?? 1);
      }
      case 'pause':
        return pausing(table, await this.channelOf(appId, values), now);
      case 'resume':
        return pausing(table, await this.channelOf(appId, values), null);
      case 'force':
        return this.force(table, values);
      case 'delete-bundle': {
        const buildId = await this.queries.buildOf(appId, values.bundleId);
        if (buildId === null) throw new NotFoundError('Bundle');
        return deleting(table, await this.load(appId, buildId));
      }
    }
  }

  private async load(appId: string, withoutBuildId?: string): Promise<ReleaseTable> {
    const table = await (withoutBuildId === undefined
      ? this.tables.load(appId)
      : this.tables.loadWithout(appId, withoutBuildId));
    if (table === null) throw new NotFoundError('App');
    return table;
  }

  private async deploy(
    table: ReleaseTable,
    values: CreateSimulationDto,
    now: Date,
  ): Promise<SimulatedChange> {
    const { appBuildId, appChannelId = null, appChannelName = null, rolloutPercentage = null } = values;
    const {
      buildId,
      channelId,
      rolloutPercentage: share,
    } = await this.deployments.prepare(table.appId, {
      appBuildId,
      appChannelId,
      appChannelName,
      rolloutPercentage,
    });
    const { maxima } = await this.maxima.resolve(table.appId, values);
    const release = await this.tables.releaseOf(table.appId, buildId);
    if (release === null) throw new NotFoundError('Bundle');
    // The id decides which devices are inside of a partial rollout. The build's gives the same ones each time.
    const added = {
      id: buildId,
      createdAt: now,
      sequence: Infinity,
      approvalStatus: 'approved' as const,
      rolloutPercentage: share,
      bundle: release.bundle,
      constraints: withMaxima(release.constraints, maxima),
    };
    return deploying(table, channelId, added);
  }

  private async force(table: ReleaseTable, values: CreateSimulationDto): Promise<SimulatedChange> {
    const { deviceIds, forcedAppChannelId } = values;
    const channelId = forcedAppChannelId && (await this.channels.get(table.appId, forcedAppChannelId)).id;
    if (!(await this.queries.knows(table.appId, deviceIds))) throw new NotFoundError('Device');
    return forcing(table, deviceIds, channelId);
  }

  private async channelOf(
    appId: string,
    { appChannelId, appChannelName }: CreateSimulationDto,
  ): Promise<string> {
    if (appChannelId) return (await this.channels.get(appId, appChannelId)).id;
    if (appChannelName) return (await this.channels.getByName(appId, appChannelName)).id;
    throw invalidField('appChannelId', 'appChannelId or appChannelName is required.');
  }
}
