import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { FindOptionsWhere, Repository } from 'typeorm';
import { errorOf } from '../../common/errors/app-error.js';
import { Listeners } from '../../common/listeners.js';
import type { Page } from '../../common/pagination/page.js';
import { nameColumns, nameKey } from '../../common/validation/name.decorator.js';
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
import { currentActor } from '../../database/transactions/actor.js';
import { transaction } from '../../database/transactions/transaction.js';
import type {
  ListConfigurationsQuery,
  CreateConfigurationDto,
  UpdateConfigurationDto,
} from './configuration.dto.js';
import { Configuration, CONFIGURATIONS_NAME_KEY } from './configuration.entity.js';

const violations = {
  [CONFIGURATIONS_NAME_KEY]: () => errorOf('configuration_name_taken'),
};

/** Names a configuration; the id wins. */
export interface ConfigurationReference {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

@Injectable()
export class ConfigurationsService {
  /** A configuration is about to be deleted. */
  readonly deleting = new Listeners<[configuration: Configuration]>();

  constructor(
    @InjectRepository(Configuration) private readonly configurations: Repository<Configuration>,
    private readonly limits: CountLimits,
  ) {}

  /** The configurations of an app, by name. */
  list(appId: string, query: ListConfigurationsQuery): Promise<Page<Configuration>> {
    return findPage(this.configurations, whereNamed({ appId }, query), query, { nameLower: 'ASC' });
  }

  /** @throws NotFoundError */
  get(appId: string, id: string): Promise<Configuration> {
    return findOrThrow(this.configurations, { appId, id });
  }

  /** The configuration with this id or name; the id wins. @throws NotFoundError */
  resolve(appId: string, reference: ConfigurationReference): Promise<Configuration> {
    return findOrThrow(this.configurations, whereOf(appId, reference));
  }

  /** @throws ConflictError when the app has a configuration of this name, or as many as the server allows */
  create(appId: string, values: CreateConfigurationDto): Promise<Configuration> {
    const userId = currentActor()?.userId ?? null;
    const columns = { appId, ...columnsOf(values), createdByUserId: userId, updatedByUserId: userId };
    return transaction(async () => {
      await this.limits.requireRoom('configurationsPerApp', appId, this.configurations, { appId });
      return insertOrThrow(this.configurations, columns, violations);
    });
  }

  /** @throws NotFoundError @throws ConflictError when the app has another configuration of the new name */
  update(appId: string, id: string, changes: UpdateConfigurationDto): Promise<Configuration> {
    const updatedByUserId = currentActor()?.userId ?? null;
    return updateOrThrow(
      this.configurations,
      { appId, id },
      { ...columnsOf(changes), updatedByUserId },
      violations,
    );
  }

  /** @throws NotFoundError */
  delete(appId: string, reference: ConfigurationReference): Promise<void> {
    return transaction(async () => {
      const configuration = await lockOrThrow(this.configurations, whereOf(appId, reference));
      await this.deleting.notify(configuration);
      await deleteOrThrow(this.configurations, { appId, id: configuration.id });
    });
  }
}

/** The columns that creation and change set alike; `undefined` for absent fields. */
function columnsOf({ name, buildNumber, ...values }: UpdateConfigurationDto) {
  return {
    ...nameColumns(name),
    displayName: values.displayName,
    packageName: values.packageName,
    versionName: values.versionName,
    buildNumberOffset: values.buildNumberOffset,
    formFactor: values.formFactor,
    buildNumber: typeof buildNumber === 'number' ? String(buildNumber) : buildNumber,
  };
}

function whereOf(appId: string, { id, name = '' }: ConfigurationReference): FindOptionsWhere<Configuration> {
  return id === undefined ? { appId, nameLower: nameKey(name) } : { appId, id };
}
