import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { ArrayContains, type FindOptionsWhere, type Repository } from 'typeorm';
import { TokenChanges } from '../../accounts/tokens/token-changes.js';
import { DestinationsService } from '../../app-submissions/destinations/destinations.service.js';
import type { AppRepository } from '../../apps/repository/app-repository.entity.js';
import { LinkedRepositoryService } from '../../apps/repository/linked-repository.service.js';
import { updateOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { EventsService } from '../../events/events.service.js';
import { ChannelsService } from '../../live-updates/channels/channels.service.js';
import { CertificatesService } from '../../native-builds/certificates/certificates.service.js';
import { ConfigurationsService } from '../../native-builds/configurations/configurations.service.js';
import { EnvironmentsService } from '../../native-builds/environments/environments.service.js';
import { toAutomationDto } from './automation.dto.js';
import { Automation } from './automation.entity.js';
import { automationStopped } from './automations.events.js';

/** Why automations stop that were saved for another repository than the present one. */
export const OTHER_REPOSITORY = 'The app was linked to another repository.';

/** Stops automations that lose what they need, in the transaction that takes it away. */
@Injectable()
export class AutomationStops implements OnModuleInit {
  constructor(
    @InjectRepository(Automation) private readonly automations: Repository<Automation>,
    private readonly environments: EnvironmentsService,
    private readonly certificates: CertificatesService,
    private readonly configurations: ConfigurationsService,
    private readonly destinations: DestinationsService,
    private readonly channels: ChannelsService,
    private readonly links: LinkedRepositoryService,
    private readonly tokens: TokenChanges,
    private readonly events: EventsService,
  ) {}

  onModuleInit(): void {
    this.environments.deleting.register(({ id, name }) =>
      this.stopAll({ environmentId: id }, `The environment ${name} was deleted.`),
    );
    this.certificates.deleting.register(({ id, name }) =>
      this.stopAll({ certificateId: id }, `The certificate ${name} was deleted.`),
    );
    this.configurations.deleting.register(({ id, name }) =>
      this.stopAll({ configurationId: id }, `The configuration ${name} was deleted.`),
    );
    this.destinations.deleting.register(({ id, name }) =>
      this.stopAll({ destinationId: id }, `The destination ${name} was deleted.`),
    );
    this.channels.deleting.register(({ id, appId, name }) => this.loseChannel(appId, id, name));
    this.tokens.deleted.register(({ id, name }) =>
      this.stopAll({ tokenId: id }, `The API token ${name}, with which it was saved, was deleted.`),
    );
    this.links.linked.register((repository) => this.follow(repository));
  }

  /**
   * Disables an automation, with an event, unless it is disabled. Call it with the row locked, or nothing else to lose.
   *
   * @param reason a sentence for users
   */
  async stop(id: string, reason: string): Promise<void> {
    await transaction(async () => {
      const where = { id, enabled: true };
      const stopped = await this.automations.update(where, { enabled: false, stoppedReason: reason });
      if (stopped.affected === 0) return;
      const automation = await this.automations.findOneByOrFail({ id });
      const data = { ...toAutomationDto(automation), userId: automation.savedByUserId, reason };
      const { appId } = automation;
      // It happened to the automation: the user who has deleted something else did not ask for it.
      await this.events.record(automationStopped, { appId, objectId: id, userId: null, data });
    });
  }

  private async stopAll(where: FindOptionsWhere<Automation>, reason: string): Promise<void> {
    const using = await this.automations.find({
      where,
      order: { id: 'ASC' },
      lock: { mode: 'for_no_key_update' },
    });
    for (const { id } of using) await this.stop(id, reason);
  }

  private async loseChannel(appId: string, channelId: string, name: string): Promise<void> {
    const where = { appId, channelIds: ArrayContains([channelId]) };
    await this.stopAll(where, `The channel ${name} was deleted.`);
    for (const { id, channelIds } of await this.automations.findBy(where)) {
      const left = channelIds.filter((other) => other !== channelId);
      await updateOrThrow(this.automations, { id }, { channelIds: left });
    }
  }

  /** The app was linked. What its refs were before says nothing about those of now. */
  private async follow(repository: AppRepository): Promise<void> {
    const { appId } = repository;
    const key = repositoryKeyOf(repository);
    for (const { id, repositoryKey } of await this.automations.find({
      where: { appId },
      order: { id: 'ASC' },
    })) {
      await this.automations.update({ id }, { refsRecordedAt: null });
      if (repositoryKey === null) await this.automations.update({ id }, { repositoryKey: key });
      else if (repositoryKey !== key) await this.stop(id, OTHER_REPOSITORY);
    }
  }
}

/** What a repository is known by, whatever its path. */
type KnownRepository = Pick<AppRepository, 'provider' | 'providerBaseUrl' | 'providerRepositoryId'>;

/** The same as one text, which is stored. */
export function repositoryKeyOf(repository: KnownRepository): string {
  const { provider, providerBaseUrl, providerRepositoryId } = repository;
  return JSON.stringify([provider, providerBaseUrl, providerRepositoryId]);
}

/** @param key from `repositoryKeyOf` */
export function repositoryOfKey(key: string): KnownRepository {
  const [provider, providerBaseUrl, providerRepositoryId] = JSON.parse(key) as [
    KnownRepository['provider'],
    string | null,
    string,
  ];
  return { provider, providerBaseUrl, providerRepositoryId };
}
