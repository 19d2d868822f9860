import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, In, type Repository } from 'typeorm';
import type { App } from '../../apps/apps/app.entity.js';
import { LinkedRepositoryService } from '../../apps/repository/linked-repository.service.js';
import type { Principal } from '../../common/access/principal.js';
import type { CopiedScope } from '../../common/access/token-scope.js';
import { errorOf } from '../../common/errors/app-error.js';
import { Listeners } from '../../common/listeners.js';
import type { Page } from '../../common/pagination/page.js';
import { nameColumns } from '../../common/validation/name.decorator.js';
import { CountLimits } from '../../database/count-limits.js';
import {
  deleteOrThrow,
  findOrThrow,
  findPage,
  insertOrThrow,
  lockOrThrow,
  updateOrThrow,
} from '../../database/rows.js';
import { whereNamed } from '../../database/text-filters.js';
import { transaction } from '../../database/transactions/transaction.js';
import { AutomationSettings, type SettingColumns } from './automation-settings.service.js';
import { repositoryKeyOf } from './automation-stops.service.js';
import type {
  CountAutomationsQuery,
  CreateAutomationDto,
  ListAutomationsQuery,
  UpdateAutomationDto,
} from './automation.dto.js';
import { Automation, AUTOMATIONS_NAME_KEY, type TriggerType } from './automation.entity.js';

const violations = {
  [AUTOMATIONS_NAME_KEY]: () => errorOf('automation_name_taken'),
};

@Injectable()
export class AutomationsService {
  /** An automation was saved, so the refs of its repository may have to be recorded. */
  readonly saved = new Listeners<[automation: Automation]>();

  constructor(
    @InjectRepository(Automation) private readonly automations: Repository<Automation>,
    private readonly settings: AutomationSettings,
    private readonly links: LinkedRepositoryService,
    private readonly limits: CountLimits,
  ) {}

  /** The automations of an app, by name. */
  list(appId: string, query: ListAutomationsQuery): Promise<Page<Automation>> {
    return findPage(this.automations, whereOf(appId, query), query, { nameLower: 'ASC' });
  }

  count(appId: string, query: CountAutomationsQuery): Promise<number> {
    return this.automations.countBy(whereOf(appId, query));
  }

  /** @throws NotFoundError */
  get(appId: string, id: string): Promise<Automation> {
    return findOrThrow(this.automations, { appId, id });
  }

  /**
   * @throws ConflictError when the app has an automation of this name, or as many as the server allows
   * @throws as `AutomationSettings.resolve`
   */
  create(caller: Principal, app: App, dto: CreateAutomationDto): Promise<Automation> {
    return transaction(async () => {
      const { id: appId } = app;
      await this.limits.requireRoom('automationsPerApp', appId, this.automations, { appId });
      const repository = await this.links.find(appId);
      const settings = await this.settings.resolve(caller, app, null, dto, repository);
      const values = {
        appId,
        ...nameColumns(dto.name),
        ...settings,
        ...authorityOf(caller),
        enabled: dto.enabled ?? true,
        repositoryKey: repository && repositoryKeyOf(repository),
        createdByUserId: caller.userId,
      };
      const automation = await insertOrThrow(this.automations, values, violations);
      await this.saved.notify(automation);
      return automation;
    });
  }

  /**
   * Disables an automation, or saves it.
   *
   * @throws NotFoundError
   * @throws ConflictError when the app has another automation of the new name
   * @throws as `AutomationSettings.resolve`
   */
  update(caller: Principal, app: App, id: string, dto: UpdateAutomationDto): Promise<Automation> {
    return transaction(async () => {
      const { id: appId } = app;
      const before = await lockOrThrow(this.automations, { appId, id }, 'for_no_key_update');
      if (isDisabling(dto)) {
        const changes = { enabled: false, stoppedReason: null, updatedByUserId: caller.userId };
        return updateOrThrow(this.automations, { id }, changes);
      }
      const repository = await this.links.find(appId);
      const settings = await this.settings.resolve(caller, app, before, dto, repository);
      const enabled = dto.enabled ?? (before.enabled || before.stoppedReason !== null);
      const startsOver = isOther(before, settings, caller) || (enabled && !before.enabled);
      const changes = {
        ...nameColumns(dto.name),
        ...settings,
        ...authorityOf(caller),
        enabled,
        stoppedReason: null,
        repositoryKey: repository && repositoryKeyOf(repository),
        ...(startsOver && { refsRecordedAt: null }),
      };
      const automation = await updateOrThrow(this.automations, { id }, changes, violations);
      await this.saved.notify(automation);
      return automation;
    });
  }

  /** Those of an app that wait for pushes, by id. */
  listWaiting(appId: string): Promise<Automation[]> {
    const triggerType = In(['branch', 'tag'] satisfies TriggerType[]);
    return this.automations.find({ where: { appId, enabled: true, triggerType }, order: { id: 'ASC' } });
  }

  /** Locks an automation until the transaction ends. @returns whether it is enabled, and as it was when it was read */
  async lockUnchanged({ id, updatedAt, refsRecordedAt }: Automation): Promise<boolean> {
    const now = await this.automations.findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });
    if (now?.enabled !== true) return false;
    const isRecorded = (now.refsRecordedAt === null) === (refsRecordedAt === null);
    return isRecorded && now.updatedAt.getTime() === updatedAt.getTime();
  }

  /** Notes that the present refs are recorded. It is no change of a user. */
  async noteRecord(id: string): Promise<void> {
    await this.automations.update({ id }, { refsRecordedAt: () => 'now()', updatedAt: () => 'updated_at' });
  }

  /** Notes that it has started a build, as `noteRecord`. */
  async noteStart(id: string): Promise<void> {
    await this.automations.update({ id }, { lastTriggeredAt: () => 'now()', updatedAt: () => 'updated_at' });
  }

  /** @throws NotFoundError */
  delete(appId: string, id: string): Promise<void> {
    return deleteOrThrow(this.automations, { appId, id });
  }
}

function whereOf(
  appId: string,
  { platform, ...query }: Pick<ListAutomationsQuery, 'name' | 'platform' | 'query'>,
): FindOptionsWhere<Automation>[] {
  return whereNamed<Automation>({ appId, ...(platform !== undefined && { platform }) }, query);
}

/** Disabling takes nothing over, so that a member who may not do what an automation does can still stop it. */
function isDisabling(dto: UpdateAutomationDto): boolean {
  const fields = Object.entries(dto).filter(([, value]) => value !== undefined);
  return dto.enabled === false && fields.length === 1;
}

/** As whom the automation acts from now on. What a session saves lasts longer than the session. */
function authorityOf({ userId, tokenId, sessionId, limits }: Principal) {
  const { permissions, organizationIds, appIds } = limits;
  const scope: CopiedScope | null = sessionId === undefined ? { permissions, organizationIds, appIds } : null;
  return {
    savedByUserId: userId,
    updatedByUserId: userId,
    tokenId: sessionId === undefined ? tokenId : null,
    scope,
  };
}

/** Whether a save takes the automation over, or changes what it waits for. */
function isOther(before: Automation, after: SettingColumns, { userId }: Principal): boolean {
  return (
    before.savedByUserId !== userId ||
    before.triggerType !== after.triggerType ||
    before.commitMessagePattern !== after.commitMessagePattern ||
    before.triggerPatterns.join('\n') !== after.triggerPatterns.join('\n')
  );
}
