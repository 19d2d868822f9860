import { Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/users/users.service.js';
import { toDeploymentDto } from '../deployments/deployment.dto.js';
import type { Deployment } from '../deployments/deployment.entity.js';
import { type ChannelDto, type ChannelSummary, toChannelDto } from './channel.dto.js';
import type { Channel } from './channel.entity.js';
import { ChannelsQueries } from './channels.queries.js';

const EMPTY: ChannelSummary = {
  latestDeploymentId: null,
  lastGood: null,
  totalDeployments: 0,
  totalDevices: 0,
};

/** Builds the responses for channels from their rows, deployments, devices and people: three statements for any number. */
@Injectable()
export class ChannelsPresenter {
  constructor(
    private readonly queries: ChannelsQueries,
    private readonly users: UsersService,
  ) {}

  /** @param relations relations to include: `appDeployment` */
  async present(channels: readonly Channel[], relations: readonly string[] = []): Promise<ChannelDto[]> {
    const summaries = await this.queries.summaries(channels.map(({ id }) => id));
    const latest = relations.includes('appDeployment')
      ? await this.queries.deployments(latestIds(summaries))
      : null;
    const people = await this.peopleOf(channels, [...(latest?.values() ?? [])]);
    const nameOf = (id: string | null) => people.get(id ?? '') ?? null;
    return channels.map((channel) => {
      const summary = summaries.get(channel.id) ?? EMPTY;
      const parts = { summary, updatedBy: nameOf(channel.updatedByUserId) };
      if (latest === null) return toChannelDto(channel, parts);
      const deployment = latest.get(summary.latestDeploymentId ?? '');
      if (deployment === undefined) return toChannelDto(channel, { ...parts, deployment: null });
      const { createdByUserId, updatedByUserId } = deployment;
      const by = { createdBy: nameOf(createdByUserId), updatedBy: nameOf(updatedByUserId) };
      return toChannelDto(channel, { ...parts, deployment: toDeploymentDto(deployment, channel.name, by) });
    });
  }

  async presentOne(channel: Channel, relations?: readonly string[]): Promise<ChannelDto> {
    const [dto] = await this.present([channel], relations);
    return dto as ChannelDto;
  }

  /** @returns who has created or changed them, by id */
  private peopleOf(channels: readonly Channel[], deployments: readonly Deployment[]) {
    return this.users.referencesTo([
      ...deployments.map(({ createdByUserId }) => createdByUserId),
      ...[...channels, ...deployments].map(({ updatedByUserId }) => updatedByUserId),
    ]);
  }
}

function latestIds(summaries: ReadonlyMap<string, ChannelSummary>): string[] {
  return [...summaries.values()].flatMap(({ latestDeploymentId }) => latestDeploymentId ?? []);
}
