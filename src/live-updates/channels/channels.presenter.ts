import { Injectable } from '@nestjs/common';
import { toDeploymentDto } from '../deployments/deployment.dto.js';
import { type ChannelDto, type ChannelSummary, toChannelDto } from './channel.dto.js';
import type { Channel } from './channel.entity.js';
import { ChannelsQueries } from './channels.queries.js';

const EMPTY: ChannelSummary = { latestDeploymentId: null, totalDeployments: 0, totalDevices: 0 };

/** Builds the responses for channels from their rows, deployments and devices: two statements for any number. */
@Injectable()
export class ChannelsPresenter {
  constructor(private readonly queries: ChannelsQueries) {}

  /** @param relations relations to include: `appDeployment` */
  async present(channels: readonly Channel[], relations: readonly string[] = []): Promise<ChannelDto[]> {
    const summaries = await this.queries.summaries(channels.map(({ id }) => id));
    const latest = relations.includes('appDeployment')
      ? await this.queries.deployments(latestIds(summaries))
      : null;
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
}

function latestIds(summaries: ReadonlyMap<string, ChannelSummary>): string[] {
  return [...summaries.values()].flatMap(({ latestDeploymentId }) => latestDeploymentId ?? []);
}
