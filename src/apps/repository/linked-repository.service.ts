import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Raw, type Repository } from 'typeorm';
import { Listeners } from '../../common/listeners.js';
import { insertOrThrow, translate } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { AppChanges } from '../apps/app-changes.js';
import type { App } from '../apps/app.entity.js';
import { AppsService } from '../apps/apps.service.js';
import type { LinkedRepositories } from '../apps/linked-repositories.js';
import type { GitConnection } from '../../organizations/git-connections/git-connection.entity.js';
import { GitConnectionsService } from '../../organizations/git-connections/git-connections.service.js';
import { AppRepository } from './app-repository.entity.js';
import { AppNotLinkedError } from './repository-not-found.error.js';

/** The repository of an app and what it is read with. */
export interface LinkedRepository {
  /** Of the app. */
  readonly organizationId: string;
  readonly repository: AppRepository;
  /** `null`: nothing. */
  readonly connection: GitConnection | null;
}

/** The columns of a link that the request decides. */
export type RepositoryColumns = Pick<
  AppRepository,
  'gitConnectionId' | 'provider' | 'providerBaseUrl' | 'providerRepositoryId' | 'name' | 'path' | 'webUrl'
>;

/** What a link says besides. */
export type RepositorySettings = Partial<Pick<AppRepository, 'submoduleRepositories' | 'gitDepth'>>;

/** Stores which repository an app is built from. */
@Injectable()
export class LinkedRepositoryService implements LinkedRepositories, OnModuleInit {
  /** An app was linked, maybe to the repository that it had. */
  readonly linked = new Listeners<[repository: AppRepository]>();

  constructor(
    @InjectRepository(AppRepository) private readonly repositories: Repository<AppRepository>,
    private readonly apps: AppsService,
    private readonly connections: GitConnectionsService,
    private readonly changes: AppChanges,
  ) {}

  onModuleInit(): void {
    this.changes.transferred.register((appId) => this.leaveOrganization(appId));
  }

  /** `null`: the app is not linked. */
  find(appId: string): Promise<AppRepository | null> {
    return this.repositories.findOneBy({ appId });
  }

  /** @throws AppNotLinkedError */
  async get(appId: string): Promise<AppRepository> {
    const repository = await this.repositories.findOneBy({ appId });
    if (repository === null) throw new AppNotLinkedError(appId);
    return repository;
  }

  /** Of all apps of an organization that are linked to a repository, by id of the app. */
  listOf(
    organizationId: string,
    {
      provider,
      providerBaseUrl,
      providerRepositoryId,
    }: Pick<AppRepository, 'provider' | 'providerBaseUrl' | 'providerRepositoryId'>,
  ): Promise<AppRepository[]> {
    const appId = Raw(
      (column) => `${column} IN (SELECT id FROM apps WHERE organization_id = :organizationId)`,
      { organizationId },
    );
    const where = { appId, provider, providerBaseUrl: providerBaseUrl ?? IsNull(), providerRepositoryId };
    return this.repositories.find({ where, order: { appId: 'ASC' } });
  }

  /** @throws AppNotLinkedError @throws NotFoundError when there is no such app */
  async getWithConnection(appId: string): Promise<LinkedRepository> {
    const app = await this.apps.get(appId);
    const repository = await this.get(appId);
    const { gitConnectionId: id } = repository;
    const found = id === null ? null : await this.connections.find(app.organizationId, id);
    const connection = found?.appId == null || found.appId === appId ? found : null;
    return { organizationId: app.organizationId, repository, connection };
  }

  /**
   * Links an app to a repository, in place of its former one.
   *
   * @param settings by default, those of the link if repository and connection stay the same, else none: what was allowed
   *   for one credential is not for another
   * @throws NotFoundError when the app was deleted or transferred in the meantime
   * @throws ConflictError when the connection was deleted in the meantime
   */
  async put(
    { id: appId, organizationId }: App,
    columns: RepositoryColumns,
    settings: RepositorySettings,
  ): Promise<void> {
    await transaction(async () => {
      await this.apps.lock(appId, organizationId);
      const before = await this.repositories.findOneBy({ appId });
      const kept = before !== null && isSameLink(before, columns) ? before : null;
      const values = {
        ...columns,
        submoduleRepositories: settings.submoduleRepositories ?? kept?.submoduleRepositories ?? [],
        gitDepth: settings.gitDepth ?? kept?.gitDepth ?? 1,
      };
      if (before === null) await insertOrThrow(this.repositories, { appId, ...values });
      else await translate({}, () => this.repositories.update({ appId }, values));
      await this.linked.notify(await this.get(appId));
    });
  }

  /**
   * Changes what a link says besides the repository; absent settings stay.
   *
   * @param check gets the link and which submodules are new in the list, and throws when that is not allowed
   * @throws AppNotLinkedError @throws NotFoundError when the app was deleted or transferred in the meantime
   */
  async setSettings(
    { id: appId, organizationId }: App,
    settings: RepositorySettings,
    check: (linked: LinkedRepository, added: readonly string[]) => Promise<void>,
  ): Promise<void> {
    await transaction(async () => {
      // No other link comes between check and change.
      await this.apps.lock(appId, organizationId);
      const linked = await this.getWithConnection(appId);
      const before = new Set(linked.repository.submoduleRepositories);
      await check(
        linked,
        (settings.submoduleRepositories ?? []).filter((path) => !before.has(path)),
      );
      await this.repositories.update({ appId }, settings);
    });
  }

  /** Gives a link the new path of its repository, unless it was changed at the same time. */
  async follow(
    { appId, path, providerRepositoryId }: AppRepository,
    renamed: Pick<AppRepository, 'path' | 'name' | 'webUrl'>,
  ): Promise<void> {
    const { path: newPath, name, webUrl } = renamed;
    await this.repositories.update({ appId, path, providerRepositoryId }, { path: newPath, name, webUrl });
  }

  /** @throws AppNotLinkedError */
  async delete(appId: string): Promise<void> {
    const { affected } = await this.repositories.delete({ appId });
    if (affected === 0) throw new AppNotLinkedError(appId);
  }

  /** Takes from an app what belongs to the organization that it leaves: connections to git servers. */
  private async leaveOrganization(appId: string): Promise<void> {
    await this.repositories.update({ appId }, { gitConnectionId: null });
    await this.connections.deleteOfApp(appId);
  }
}

/** What refs are read from, and with what, as one text. */
export function sourceOf({ organizationId, repository, connection }: LinkedRepository): string {
  const { provider, providerBaseUrl, providerRepositoryId, path } = repository;
  return JSON.stringify([
    organizationId,
    provider,
    providerBaseUrl,
    providerRepositoryId,
    path,
    connection?.id,
  ]);
}

function isSameLink(before: AppRepository, after: RepositoryColumns): boolean {
  return (['gitConnectionId', 'provider', 'providerBaseUrl', 'providerRepositoryId'] as const).every(
    (column) => before[column] === after[column],
  );
}
