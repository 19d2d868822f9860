import { Injectable } from '@nestjs/common';
import { DestinationsService } from '../../app-submissions/destinations/destinations.service.js';
import { AppAccessService } from '../../apps/app-access/app-access.service.js';
import type { App } from '../../apps/apps/app.entity.js';
import type { AppRepository } from '../../apps/repository/app-repository.entity.js';
import type { RolePermission } from '../../common/access/permissions.js';
import type { Principal } from '../../common/access/principal.js';
import { invalidField } from '../../common/errors/app-error.js';
import { BuildSettingsService } from '../../native-builds/build-settings/build-settings.service.js';
import type { Reference } from '../../native-builds/build-settings/build-settings.js';
import { BuildDeployments } from '../../native-builds/builds/build-deployments.js';
import { buildTypeOf, requireNative, requireWeb } from '../../native-builds/builds/build-types.js';
import type { UpdateAutomationDto } from './automation.dto.js';
import type { Automation } from './automation.entity.js';
import { canAllow, findForeignPattern } from './trigger.js';

/** What an automation does: the columns that decide it, and that each save checks. */
export type SettingColumns = Pick<
  Automation,
  | 'platform'
  | 'triggerType'
  | 'triggerPatterns'
  | 'commitMessagePattern'
  | 'buildType'
  | 'buildStack'
  | 'environmentId'
  | 'certificateId'
  | 'configurationId'
  | 'destinationId'
  | 'channelIds'
>;

/** What a new automation does unless the request says it. Its platform and its trigger are required. */
const nothing: SettingColumns = {
  platform: 'web',
  triggerType: 'branch',
  triggerPatterns: [],
  commitMessagePattern: null,
  buildType: null,
  buildStack: null,
  environmentId: null,
  certificateId: null,
  configurationId: null,
  destinationId: null,
  channelIds: [],
};

/** Resolves what automations use, and checks that the user who saves one may do what it does. */
@Injectable()
export class AutomationSettings {
  constructor(
    private readonly access: AppAccessService,
    private readonly settings: BuildSettingsService,
    private readonly deployments: BuildDeployments,
    private readonly destinations: DestinationsService,
  ) {}

  /**
   * @param before the automation as it is; `null`: it is new
   * @param repository that the app is linked to; `null`: none
   * @throws NotFoundError for an unknown environment, certificate, configuration, channel or destination
   * @throws InvalidRequestError when the settings contradict each other, or no build may ever use what they name
   * @throws ForbiddenError when the caller may not do what the automation does
   */
  async resolve(
    caller: Principal,
    app: App,
    before: SettingColumns | null,
    dto: UpdateAutomationDto,
    repository: AppRepository | null,
  ): Promise<SettingColumns> {
    const settings = mergedSettings(before ?? nothing, dto);
    requireConsistent(settings, repository);
    const authorize = (permission: RolePermission) => this.access.require(caller, app.id, permission);
    await authorize('builds:write');
    const used = await this.settings.resolveForAutomation({
      appId: app.id,
      platform: settings.platform,
      authorize,
      canMatch: (allowedRefs) => canAllow(allowedRefs, settings),
      environment: referenceOf(dto.appEnvironmentId, dto.appEnvironmentName, settings.environmentId),
      certificate: referenceOf(dto.appCertificateId, dto.appCertificateName, settings.certificateId),
      configuration: referenceOf(dto.appConfigurationId, dto.appConfigurationName, settings.configurationId),
    });
    const channelIds = await this.channelsOf(app, dto, settings);
    const destinationId = await this.destinationOf(app, dto, settings);
    requireOfPlatform(settings.platform, { ...used, channelIds, destinationId });
    for (const permission of deliveryPermissions({ channelIds, destinationId })) await authorize(permission);
    if (destinationId !== null) {
      const build = { platform: settings.platform, releaseNotes: null };
      await this.deployments.requireDestination(app.id, destinationId, build);
    }
    const closed = await this.deployments.findClosed(app.id, { channelIds, destinationId }, (patterns) =>
      canAllow(patterns, settings),
    );
    if (closed !== null) {
      const field = destinationId === null ? 'appChannelIds' : 'appDestinationId';
      throw invalidField(field, `${field} cannot be used. ${closed} The automation builds none of them.`);
    }
    return { ...settings, ...used, channelIds, destinationId };
  }

  private async channelsOf(
    app: App,
    dto: UpdateAutomationDto,
    before: SettingColumns,
  ): Promise<readonly string[]> {
    const given = [dto.appChannelIds, dto.appChannelId, dto.appChannelNames, dto.appChannelName];
    if (given.every((value) => value === undefined)) {
      return this.deployments.channelIds(app.id, { ids: before.channelIds, names: [] });
    }
    const ids = dto.appChannelIds ?? listOf(dto.appChannelId);
    const names = ids === null ? (dto.appChannelNames ?? listOf(dto.appChannelName) ?? []) : [];
    return this.deployments.channelIds(app.id, { ids: ids ?? [], names });
  }

  private async destinationOf(
    app: App,
    dto: UpdateAutomationDto,
    { platform, destinationId }: SettingColumns,
  ): Promise<string | null> {
    const { id, name } = referenceOf(dto.appDestinationId, dto.appDestinationName, destinationId);
    if (id != null) return (await this.destinations.find(app.id, { id })).id;
    if (name == null) return null;
    if (platform === 'web') return (await this.destinations.find(app.id, { name })).id;
    return (await this.destinations.find(app.id, { name, platform })).id;
  }
}

/** What it takes to send builds where an automation sends its own, besides the permission to build. */
export function deliveryPermissions({
  channelIds,
  destinationId,
}: Pick<SettingColumns, 'channelIds' | 'destinationId'>): RolePermission[] {
  if (destinationId !== null) return ['deployments:write', 'submissions:write'];
  return channelIds.length > 0 ? ['deployments:write'] : [];
}

/** Which object a request names; where it names none and clears none, the present one. */
function referenceOf(
  id: string | null | undefined,
  name: string | null | undefined,
  present: string | null,
): Reference {
  return id === undefined && name === undefined ? { id: present } : { id, name };
}

function listOf(value: string | null | undefined): string[] | null {
  return value == null ? null : [value];
}

/** What a request sets without looking anything up. */
function mergedSettings(before: SettingColumns, dto: UpdateAutomationDto): SettingColumns {
  const patterns = dto.triggerPatterns === undefined ? dto.triggerPattern : dto.triggerPatterns;
  const kept = <T>(value: T | undefined, present: T): T => (value === undefined ? present : value);
  return {
    // One by one: what is stored has more columns, which the request may change, too.
    environmentId: before.environmentId,
    certificateId: before.certificateId,
    configurationId: before.configurationId,
    destinationId: before.destinationId,
    channelIds: before.channelIds,
    platform: dto.platform ?? before.platform,
    triggerType: dto.triggerType ?? before.triggerType,
    triggerPatterns: patterns === undefined ? before.triggerPatterns : [patterns ?? []].flat(),
    commitMessagePattern: kept(dto.commitMessagePattern, before.commitMessagePattern),
    buildType: kept(dto.buildType, before.buildType),
    buildStack: kept(dto.buildStack, before.buildStack),
  };
}

/** @throws InvalidRequestError */
function requireConsistent(settings: SettingColumns, repository: AppRepository | null): void {
  const { triggerType, commitMessagePattern } = settings;
  requireType(settings);
  const foreign = findForeignPattern(settings);
  if (foreign !== undefined) {
    throw invalidField('triggerPatterns', `triggerPatterns has ${foreign}, which is no ${triggerType}.`);
  }
  if (commitMessagePattern === null) return;
  if (triggerType !== 'branch') {
    throw invalidField(
      'commitMessagePattern',
      'commitMessagePattern must be absent: it is for automations of branches.',
    );
  }
  if (repository?.provider === 'git_http') {
    throw invalidField(
      'commitMessagePattern',
      'commitMessagePattern must be absent: the server of the repository has no API that says the message of a commit.',
    );
  }
}

/** @throws InvalidRequestError */
function requireType({ platform, buildType }: SettingColumns): void {
  try {
    buildTypeOf(platform, buildType);
  } catch {
    const types = platform === 'web' ? 'absent: web builds have none' : `a type of ${platform} builds`;
    throw invalidField('buildType', `buildType must be ${types}.`);
  }
}

/** @throws InvalidRequestError */
function requireOfPlatform(
  platform: Automation['platform'],
  {
    channelIds,
    configurationId,
    destinationId,
  }: Pick<SettingColumns, 'channelIds' | 'configurationId' | 'destinationId'>,
): void {
  if (channelIds.length > 0) requireWeb(platform);
  requireNative(platform, configurationId);
  if (platform === 'web' && destinationId !== null) {
    throw invalidField(
      'appDestinationId',
      'appDestinationId must be absent: destinations are for Android and iOS.',
    );
  }
}
