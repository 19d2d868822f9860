import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { DefaultEnvironments, EnvironmentReference } from '../../apps/apps/default-environments.js';
import type { Principal } from '../../common/access/principal.js';
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
import { transaction } from '../../database/transactions/transaction.js';
import { UseRestrictionsService } from '../use-restrictions/use-restrictions.service.js';
import type { CreateEnvironmentDto, UpdateEnvironmentDto, ListEnvironmentsQuery } from './environment.dto.js';
import { Environment, ENVIRONMENTS_NAME_KEY } from './environment.entity.js';

const violations = {
  [ENVIRONMENTS_NAME_KEY]: () => errorOf('environment_name_taken'),
};

@Injectable()
export class EnvironmentsService implements DefaultEnvironments {
  /** An environment is about to be deleted. */
  readonly deleting = new Listeners<[environment: Environment]>();

  constructor(
    @InjectRepository(Environment) private readonly environments: Repository<Environment>,
    private readonly restrictions: UseRestrictionsService,
    private readonly limits: CountLimits,
  ) {}

  /** The environments of an app, by name. */
  list(appId: string, query: ListEnvironmentsQuery): Promise<Page<Environment>> {
    return findPage(this.environments, whereNamed({ appId }, query), query, { nameLower: 'ASC' });
  }

  /** @throws NotFoundError */
  get(appId: string, id: string): Promise<Environment> {
    return findOrThrow(this.environments, { appId, id });
  }

  /** The environment with this id or name; the id wins. @throws NotFoundError */
  resolve(appId: string, reference: EnvironmentReference): Promise<Environment> {
    return findOrThrow(this.environments, whereReferred(appId, reference));
  }

  /** As `resolve`. @returns its id; `null`: there is none */
  async find(appId: string, reference: EnvironmentReference): Promise<string | null> {
    return (await this.environments.findOneBy(whereReferred(appId, reference)))?.id ?? null;
  }

  /**
   * Creates an environment without a check of the caller, which `EnvironmentCreationService` does.
   *
   * @throws ConflictError when the app has an environment of this name, or as many as the server allows
   */
  create(appId: string, values: CreateEnvironmentDto): Promise<Environment> {
    return transaction(async () => {
      await this.limits.requireRoom('environmentsPerApp', appId, this.environments, { appId });
      return insertOrThrow(this.environments, { appId, ...columnsOf(values) }, violations);
    });
  }

  /**
   * @throws NotFoundError
   * @throws ConflictError when the app has another environment of the new name
   * @throws ForbiddenError as `lockForChange`
   */
  update(caller: Principal, appId: string, id: string, changes: UpdateEnvironmentDto): Promise<Environment> {
    return transaction(async () => {
      await this.lockForChange(caller, { appId, id }, changes);
      return updateOrThrow(this.environments, { appId, id }, columnsOf(changes), violations);
    });
  }

  /** Deletes an environment with its variables and secrets. @throws NotFoundError @throws ForbiddenError */
  delete(caller: Principal, appId: string, reference: EnvironmentReference): Promise<void> {
    return transaction(async () => {
      const { id } = await this.resolve(appId, reference);
      const environment = await this.lockForChange(caller, { appId, id });
      await this.restrictions.requireUnused('environment', id);
      await this.deleting.notify(environment);
      await deleteOrThrow(this.environments, { appId, id });
    });
  }

  /**
   * Locks an environment, and thereby its variables and secrets, against other changes until the transaction ends.
   *
   * @param changes what the request sets of the environment itself
   * @throws NotFoundError
   * @throws ForbiddenError when the environment is restricted, now or by the request, and the caller may not use it
   */
  async lockForChange(
    caller: Principal,
    { appId, id }: Pick<Environment, 'appId' | 'id'>,
    changes: UpdateEnvironmentDto = {},
  ): Promise<Environment> {
    const environment = await lockOrThrow(this.environments, { appId, id }, 'for_no_key_update');
    await this.restrictions.authorizeChange(caller, 'environments:use', appId, environment, changes);
    return environment;
  }
}

function whereReferred(appId: string, { id, name = '' }: EnvironmentReference) {
  return id === undefined ? { appId, nameLower: nameKey(name) } : { appId, id };
}

/** The columns that creation and change set alike; `undefined` for absent fields. */
function columnsOf({ name, allowedRefs, protected: isProtected }: UpdateEnvironmentDto) {
  return {
    ...nameColumns(name),
    allowedRefs,
    protected: isProtected,
  };
}
