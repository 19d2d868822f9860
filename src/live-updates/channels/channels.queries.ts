import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { Deployment } from '../deployments/deployment.entity.js';
import { toDeploymentDto } from '../deployments/deployment.dto.js';
import { type ChannelDto, type ChannelSummary, toChannelDto } from './channel.dto.js';
import type { Channel } from './channel.entity.js';

/** Shows channels together with what deployments and devices tell about them, in one statement for any number. */
@Injectable()
export class ChannelsQueries {
  constructor(private readonly database: DataSource) {}

  /**
   * @param relations what was asked for: `appDeployment`
   * @param tx a running transaction that reads them
   */
  async show(
    channels: readonly Channel[],
    relations: readonly string[] = [],
    tx: EntityManager = this.database.manager,
  ): Promise<ChannelDto[]> {
    const ids = channels.map(({ id }) => id);
    const summaries = await this.summarize(tx, ids);
    const deployments = relations.includes('appDeployment')
      ? await this.deploymentsOf(tx, channels, summaries)
      : null;
    return channels.map((channel) => {
      const summary = summaries.get(channel.id) ?? {
        latestDeploymentId: null,
        totalDeployments: 0,
        totalDevices: 0,
      };
      const deployment = deployments?.get(summary.latestDeploymentId ?? '');
      return toChannelDto(
        channel,
        summary,
        deployments === null ? undefined : deployment ? toDeploymentDto(deployment, channel.name) : null,
      );
    });
  }

  /** As `show`, for one channel. */
  async showOne(channel: Channel, relations?: readonly string[], tx?: EntityManager): Promise<ChannelDto> {
    const [dto] = await this.show([channel], relations, tx);
    return dto as ChannelDto;
  }

  private async summarize(tx: EntityManager, ids: readonly string[]): Promise<Map<string, ChannelSummary>> {
    const rows = await tx.query<(ChannelSummary & { id: string })[]>(
      `SELECT channel.id,
              (SELECT id FROM deployments WHERE channel_id = channel.id AND approval_status = 'approved'
                ORDER BY sequence DESC LIMIT 1) AS "latestDeploymentId",
              (SELECT count(*)::int FROM deployments WHERE channel_id = channel.id) AS "totalDeployments",
              (SELECT count(*)::int FROM devices WHERE channel_id = channel.id) AS "totalDevices"
         FROM unnest($1::uuid[]) AS channel (id)`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  private async deploymentsOf(
    tx: EntityManager,
    channels: readonly Channel[],
    summaries: ReadonlyMap<string, ChannelSummary>,
  ): Promise<Map<string, Deployment>> {
    const ids = channels.flatMap(({ id }) => summaries.get(id)?.latestDeploymentId ?? []);
    const deployments = await tx.getRepository(Deployment).findBy({ id: In(ids) });
    return new Map(deployments.map((deployment) => [deployment.id, deployment]));
  }
}
