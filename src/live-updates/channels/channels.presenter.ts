import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { toDeploymentDto } from '../deployments/deployment.dto.js';
import { Deployment } from '../deployments/deployment.entity.js';
import { type ChannelDto, type ChannelSummary, toChannelDto } from './channel.dto.js';
import type { Channel } from './channel.entity.js';
import { ChannelsQueries } from './channels.queries.js';

const EMPTY: ChannelSummary = { latestDeploymentId: null, totalDeployments: 0, totalDevices: 0 };

/** Builds the responses for channels from their rows, deployments and devices: two statements for any number. */
@Injectable()
export class ChannelsPresenter {
  constructor(
    private readonly queries: ChannelsQueries,
    @InjectRepository(Deployment) private readonly deployments: Repository<Deployment>,
  ) {}

  /** @param relations relations to include: `appDeployment` */
  async present(channels: readonly Channel[], relations: readonly string[] = []): Promise<ChannelDto[]> {
    const summaries = await this.queries.summaries(channels.map(({ id }) => id));
    const latest = relations.includes('appDeployment') ? await this.latestDeployments(summaries) : null;
    return channels.map((channel) => {
      const summary = summaries.get(channel.id) ?? EMPTY;
      if (latest === null) return toChannelDto(channel, summary);
      const deployment = latest.get(summary.latestDeploymentId ?? '');
      return toChannelDto(channel, summary, deployment ? toDeploymentDto(deployment, channel.name) : null);
    });
  }

  async presentOne(channel: Channel, relations?: readonly string[]): Promise<ChannelDto> {
    const [dto] = await this.present([channel], relations);
    return dto as ChannelDto;
  }

  private async latestDeployments(
    summaries: ReadonlyMap<string, ChannelSummary>,
  ): Promise<Map<string, Deployment>> {
    const ids = [...summaries.values()].flatMap(({ latestDeploymentId }) => latestDeploymentId ?? []);
    const deployments = await this.deployments.findBy({ id: In(ids) });
    return new Map(deployments.map((deployment) => [deployment.id, deployment]));
  }
}
