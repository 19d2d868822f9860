import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { And, FindOperator, type FindOptionsWhere, In, type Repository } from 'typeorm';
import type { Principal } from '../../common/access/principal.js';
import { type AppError, invalidField, NotFoundError, errorOf } from '../../common/errors/app-error.js';
import type { IfMatch } from '../../common/etags/if-match.js';
import type { Page } from '../../common/pagination/page.js';
import { CountLimits } from '../../database/count-limits.js';
import { changeIfMatch } from '../../database/if-match.js';
import { legalHoldViolations } from '../../common/errors/legal-hold.js';
import {
  deleteOrThrow,
  findOrThrow,
  findPage,
  insertOrThrow,
  lockOrThrow,
  translate,
  updateOrThrow,
} from '../../database/rows.js';
import { containsText, equalsText, idContains } from '../../database/text-filters.js';
import { transaction } from '../../database/transactions/transaction.js';
import { OrganizationAccessService } from '../../organizations/organization-access/organization-access.service.js';
import { TeamAssignmentsService } from '../../organizations/team-assignments/team-assignments.service.js';
import { App, APPS_NEXT_BUILD_NUMBER_CHECK, APPS_ORGANIZATION_FKEY } from './app.entity.js';
import { AppChanges } from './app-changes.js';
import { AppsQueries, withinTeamsOf } from './apps.queries.js';
import type { CreateAppDto, ListAppsQuery, UpdateAppDto } from './app.dto.js';
import { DefaultChannels } from './default-channels.js';
import { DefaultEnvironments } from './default-environments.js';
import { normalizePublicKeys } from './public-keys.decorator.js';

@Injectable()
export class AppsService {
  constructor(
    @InjectRepository(App) private readonly apps: Repository<App>,
    private readonly queries: AppsQueries,
    private readonly access: OrganizationAccessService,
    private readonly defaultChannels: DefaultChannels,
    private readonly defaultEnvironments: DefaultEnvironments,
    private readonly teamAssignments: TeamAssignmentsService,
    private readonly changes: AppChanges,
    private readonly limits: CountLimits,
  ) {}

  /** The apps that the caller can reach, by name. */
  async list(caller: Principal, query: ListAppsQuery): Promise<Page<App>> {
    const ofTeams = withinTeamsOf(caller.userId);
    const { appIds } = caller.limits;
    const visible: FindOptionsWhere<App> = {
      organizationId: In(await this.organizationIds(caller, query)),
      id: appIds === null ? ofTeams : And(ofTeams, In(appIds)),
    };
    if (query.name !== undefined) visible.name = equalsText(query.name);
    const where = query.query === undefined ? visible : matching(visible, query.query);
    return findPage(this.apps, where, query, { name: 'ASC' });
  }

  /** @throws NotFoundError */
  get(id: string): Promise<App> {
    return findOrThrow(this.apps, { id });
  }

  /**
   * Stops changes of an app until the transaction ends, such as its transfer.
   *
   * @throws NotFoundError also when the app is not, or no longer, one of the organization
   */
  lock(id: string, organizationId: string): Promise<App> {
    return lockOrThrow(this.apps, { id, organizationId }, 'for_no_key_update');
  }

  /**
   * Creates an app and its default channel.
   *
   * @param organizationId the owner; may be left out when the caller can create apps in one organization only
   * @throws ConflictError when the organization has as many apps as the server allows
   */
  async create(caller: Principal, values: CreateAppDto, organizationId?: string): Promise<App> {
    const owner = await this.ownerOfNewApp(caller, organizationId);
    return transaction(async () => {
      await this.requireRoom(owner);
      const app = await insertOrThrow(
        this.apps,
        { ...columnsOf(values), organizationId: owner, type: values.type ?? 'capacitor' },
        { [APPS_ORGANIZATION_FKEY]: organizationNotFound },
      );
      const { id: defaultChannelId } = await this.defaultChannels.create(app.id, { name: 'default' });
      return updateOrThrow(this.apps, { id: app.id }, { defaultChannelId });
    });
  }

  /** @throws NotFoundError @throws PreconditionFailedError */
  async update(id: string, changes: UpdateAppDto, ifMatch?: IfMatch): Promise<App> {
    const { appChannelId } = changes;
    if (appChannelId && !(await this.defaultChannels.exists(id, appChannelId))) {
      throw new NotFoundError('Channel');
    }
    const appEnvironmentId = await this.environmentOf(id, changes);
    return transaction(async () => {
      const app = await changeIfMatch(this.apps, { id }, ifMatch, () =>
        updateOrThrow(
          this.apps,
          { id },
          { ...columnsOf(changes), appEnvironmentId },
          {
            [APPS_NEXT_BUILD_NUMBER_CHECK]: numberAlreadyUsed,
          },
        ),
      );
      if (changes.customIdHashing === true) {
        await this.changes.customIdHashingRequested.notify(id, app.organizationId);
      }
      return app;
    });
  }

  /**
   * Moves an app to another organization, out of the teams of its former one and without its git connections. Its blobs stay where they are: files
   * refer to them by id, see `Blob`.
   *
   * @param app one that the caller may take from its organization
   * @throws NotFoundError when the caller cannot see the organization, or the app was transferred in the meantime
   * @throws ForbiddenError when the caller may not create apps there
   * @throws ConflictError when the organization has as many apps as the server allows
   */
  async transfer(caller: Principal, app: App, organizationId: string): Promise<App> {
    await this.access.require(caller, organizationId, 'apps:write');
    if (app.organizationId === organizationId.toLowerCase()) return app;
    return transaction(async () => {
      await this.requireRoom(organizationId);
      const moved = await translate({ [APPS_ORGANIZATION_FKEY]: organizationNotFound }, () =>
        this.apps.update({ id: app.id, organizationId: app.organizationId }, { organizationId }),
      );
      if (moved.affected === 0) throw new NotFoundError('App');
      // The update has locked the app: a team that it is assigned to from now on is one of the new organization.
      await this.teamAssignments.removeAppFromAll(app.id);
      await this.changes.transferred.notify(app.id);
      return findOrThrow(this.apps, { id: app.id });
    });
  }

  /**
   * Deletes an app and everything in it.
   *
   * @throws NotFoundError
   * @throws ConflictError when one of its bundles is under legal hold
   * @throws PreconditionFailedError
   */
  delete(id: string, ifMatch?: IfMatch): Promise<void> {
    return changeIfMatch(this.apps, { id }, ifMatch, () =>
      deleteOrThrow(this.apps, { id }, legalHoldViolations),
    );
  }

  /** Whether devices may list the app's channels without a token. */
  isDiscoverable(id: string): Promise<boolean> {
    return this.apps.existsBy({ id, channelDiscoveryEnabled: true });
  }

  /**
   * Takes the next build number of an app. Other builds of the app wait until the transaction ends.
   *
   * @throws NotFoundError
   * @throws ConflictError when the largest possible number is reached
   */
  async takeBuildNumber(id: string): Promise<number> {
    const number = await this.queries.takeBuildNumber(id);
    if (number !== null) return number;
    await findOrThrow(this.apps, { id });
    throw errorOf('build_numbers_used_up');
  }

  /** Drops the caches of an app's builds on all runners. Builds whose runner has their payload still use them. */
  async dropBuildCaches(id: string): Promise<void> {
    await this.queries.dropBuildCaches(id);
  }

  private requireRoom(organizationId: string): Promise<void> {
    return this.limits.requireRoom('appsPerOrganization', organizationId, this.apps, { organizationId });
  }

  /** The default environment that a request sets; `undefined`: it stays. */
  private async environmentOf(
    appId: string,
    { appEnvironmentId: id, appEnvironmentName: name }: UpdateAppDto,
  ): Promise<string | null | undefined> {
    const value = id === undefined ? name : id;
    if (value === undefined || value === null) return value;
    const found = await this.defaultEnvironments.find(
      appId,
      id === undefined ? { name: value } : { id: value },
    );
    if (found === null) throw new NotFoundError('Environment');
    return found;
  }

  private async organizationIds(caller: Principal, { organizationId }: ListAppsQuery): Promise<string[]> {
    if (organizationId === undefined) return this.access.organizationIds(caller, 'apps:read');
    await this.access.require(caller, organizationId, 'apps:read');
    return [organizationId];
  }

  private async ownerOfNewApp(caller: Principal, organizationId: string | undefined): Promise<string> {
    if (organizationId !== undefined) {
      await this.access.require(caller, organizationId, 'apps:write');
      return organizationId;
    }
    const [only, ...others] = await this.access.organizationIds(caller, 'apps:write');
    if (only !== undefined && others.length === 0) return this.ownerOfNewApp(caller, only);
    throw invalidField(
      'organizationId',
      only === undefined
        ? 'organizationId is required, and you can create apps in no organization yet: create an organization first.'
        : 'organizationId is required because you can create apps in several organizations.',
    );
  }
}

/** The columns that a request sets; absent fields are `undefined`. */
function columnsOf(dto: UpdateAppDto): Partial<App> {
  return {
    name: dto.name,
    type: dto.type,
    defaultChannelId: dto.appChannelId,
    channelDiscoveryEnabled: dto.appChannelDiscoveryEnabled,
    publicKeys: dto.publicKeys && normalizePublicKeys(dto.publicKeys),
    nextBuildNumber: dto.nextAppBuildNumber,
    buildStack: dto.buildStack,
    runnerLabels: dto.runnerLabels,
    customIdHashing: dto.customIdHashing,
    withholdFromUnknownBundles: dto.withholdFromUnknownBundles,
    skipUnchanged: dto.skipUnchanged,
    deviceRetentionDays: dto.deviceRetentionDays,
    jobLogRetentionDays: dto.jobLogRetentionDays,
    bundleRetentionCount: dto.bundleRetentionCount,
    buildSourceRetentionDays: dto.buildSourceRetentionDays,
    buildArtifactRetentionDays: dto.buildArtifactRetentionDays,
  };
}

/** Narrows the filter to apps whose id or name contains the text. */
function matching(visible: FindOptionsWhere<App>, text: string): FindOptionsWhere<App>[] {
  return [
    { ...visible, id: both(visible.id, idContains(text)) },
    { ...visible, name: both(visible.name, containsText(text)) },
  ];
}

function both(
  condition: FindOptionsWhere<App>[keyof App],
  other: FindOperator<string>,
): FindOperator<string> {
  return condition instanceof FindOperator ? And(condition as FindOperator<string>, other) : other;
}

function organizationNotFound(): AppError {
  return new NotFoundError('Organization');
}

function numberAlreadyUsed(): AppError {
  return invalidField(
    'nextAppBuildNumber',
    'nextAppBuildNumber must be greater than the number of every build.',
  );
}
