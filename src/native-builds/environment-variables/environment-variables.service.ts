import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { Principal } from '../../common/access/principal.js';
import { ConflictError } from '../../common/errors/app-error.js';
import { deleteOrThrow, insertOrThrow, updateOrThrow } from '../../database/rows.js';
import { sql } from '../../database/sql.js';
import { transaction } from '../../database/transactions/transaction.js';
import type {
  EnvironmentValueDto,
  UpdateEnvironmentValueDto,
} from '../environment-values/environment-value.dto.js';
import { requireRoom, unset, variableStore } from '../environment-values/stored-values.js';
import type { Environment } from '../environments/environment.entity.js';
import { EnvironmentsService } from '../environments/environments.service.js';
import { ENVIRONMENT_VARIABLES_KEY_KEY, EnvironmentVariable } from './environment-variable.entity.js';

/** An environment by its app and its own id. */
type EnvironmentId = Pick<Environment, 'appId' | 'id'>;

const violations = {
  [ENVIRONMENT_VARIABLES_KEY_KEY]: () =>
    new ConflictError('The environment already has a variable with this key.', 'environment_key_taken'),
};

/** Changes take the lock of the environment; they throw as `EnvironmentsService.lockForChange`. */
@Injectable()
export class EnvironmentVariablesService {
  constructor(
    @InjectRepository(EnvironmentVariable) private readonly variables: Repository<EnvironmentVariable>,
    private readonly environments: EnvironmentsService,
  ) {}

  /** All variables of an environment, by key. @throws NotFoundError */
  async list({ appId, id }: EnvironmentId): Promise<EnvironmentVariable[]> {
    const { id: environmentId } = await this.environments.get(appId, id);
    return this.variables.find({ where: { environmentId }, order: { key: 'ASC' } });
  }

  /** @throws ConflictError when the environment has this key, or is full */
  create(
    caller: Principal,
    target: EnvironmentId,
    { key, value }: EnvironmentValueDto,
  ): Promise<EnvironmentVariable> {
    return this.change(caller, target, (environment) => {
      const { appId, id: environmentId } = environment;
      return insertOrThrow(this.variables, { appId, environmentId, key, value }, violations);
    });
  }

  /** @throws NotFoundError @throws ConflictError when the environment has the new key, or is full */
  update(
    caller: Principal,
    target: EnvironmentId,
    id: string,
    { key, value }: UpdateEnvironmentValueDto,
  ): Promise<EnvironmentVariable> {
    return this.change(caller, target, (environment) =>
      updateOrThrow(this.variables, { environmentId: environment.id, id }, { key, value }, violations),
    );
  }

  /** @throws NotFoundError */
  delete(caller: Principal, target: EnvironmentId, id: string): Promise<void> {
    return transaction(async () => {
      const { id: environmentId } = await this.environments.lockForChange(caller, target);
      await deleteOrThrow(this.variables, { environmentId, id });
    });
  }

  /**
   * Adds variables and replaces those with the same keys; others stay. Of several with one key, the last counts.
   *
   * @throws ConflictError when the environment is full
   */
  set(caller: Principal, target: EnvironmentId, values: readonly EnvironmentValueDto[]): Promise<void> {
    const byKey = new Map(values.map(({ key, value }) => [key, value]));
    return this.change(caller, target, async ({ id, appId }) => {
      await sql(
        `INSERT INTO environment_variables AS present (id, app_id, environment_id, key, value)
         SELECT new.id, $1, $2, new.key, new.value
           FROM unnest($3::uuid[], $4::text[], $5::text[]) AS new (id, key, value)
         ON CONFLICT ON CONSTRAINT ${ENVIRONMENT_VARIABLES_KEY_KEY} DO UPDATE
            SET value = excluded.value, updated_at = now() WHERE present.value <> excluded.value`,
        [appId, id, Array.from(byKey, () => uuid()), [...byKey.keys()], [...byKey.values()]],
      );
    });
  }

  /** Removes variables by key; unknown keys are ignored. */
  unset(caller: Principal, target: EnvironmentId, keys: readonly string[]): Promise<void> {
    return transaction(async () =>
      unset(variableStore, await this.environments.lockForChange(caller, target), keys),
    );
  }

  private change<R>(
    caller: Principal,
    target: EnvironmentId,
    write: (environment: Environment) => Promise<R>,
  ): Promise<R> {
    return transaction(async () => {
      const environment = await this.environments.lockForChange(caller, target);
      const result = await write(environment);
      await requireRoom(variableStore, environment);
      return result;
    });
  }
}
