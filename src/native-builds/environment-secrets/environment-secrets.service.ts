import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { Principal } from '../../common/access/principal.js';
import { ConflictError } from '../../common/errors/app-error.js';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { deleteOrThrow, insertOrThrow, updateOrThrow } from '../../database/rows.js';
import { sql } from '../../database/sql.js';
import { transaction } from '../../database/transactions/transaction.js';
import type {
  EnvironmentValueDto,
  UpdateEnvironmentValueDto,
} from '../environment-values/environment-value.dto.js';
import { idsByKey, requireRoom, secretStore, unset } from '../environment-values/stored-values.js';
import type { Environment } from '../environments/environment.entity.js';
import { EnvironmentsService } from '../environments/environments.service.js';
import { ENVIRONMENT_SECRETS_KEY_KEY, EnvironmentSecret } from './environment-secret.entity.js';

/** An environment by its app and its own id. */
type EnvironmentId = Pick<Environment, 'appId' | 'id'>;

/** Shorter values would mask parts of words everywhere. */
const MIN_MASKED_LENGTH = 4;

const violations = {
  [ENVIRONMENT_SECRETS_KEY_KEY]: () =>
    new ConflictError('The environment already has a secret with this key.', 'environment_key_taken'),
};

/** Changes take the lock of the environment; they throw as `EnvironmentsService.lockForChange`. */
@Injectable()
export class EnvironmentSecretsService {
  constructor(
    @InjectRepository(EnvironmentSecret) private readonly secrets: Repository<EnvironmentSecret>,
    private readonly environments: EnvironmentsService,
    private readonly box: SecretBox,
  ) {}

  /** All secrets of an environment, by key. @throws NotFoundError */
  async list({ appId, id }: EnvironmentId): Promise<EnvironmentSecret[]> {
    const { id: environmentId } = await this.environments.get(appId, id);
    return this.secrets.find({ where: { environmentId }, order: { key: 'ASC' } });
  }

  /** @throws ConflictError when the environment has this key, or is full */
  create(
    caller: Principal,
    target: EnvironmentId,
    { key, value }: EnvironmentValueDto,
  ): Promise<EnvironmentSecret> {
    return this.change(caller, target, ({ appId, id: environmentId }) => {
      const id = uuid();
      return insertOrThrow(
        this.secrets,
        { id, appId, environmentId, key, ...this.sealed(id, value) },
        violations,
      );
    });
  }

  /** @throws NotFoundError @throws ConflictError when the environment has the new key, or is full */
  update(
    caller: Principal,
    target: EnvironmentId,
    id: string,
    { key, value }: UpdateEnvironmentValueDto,
  ): Promise<EnvironmentSecret> {
    const changes = { key, ...(value === undefined ? {} : this.sealed(id, value)) };
    return this.change(caller, target, (environment) =>
      updateOrThrow(this.secrets, { environmentId: environment.id, id }, changes, violations),
    );
  }

  /** @throws NotFoundError */
  delete(caller: Principal, target: EnvironmentId, id: string): Promise<void> {
    return transaction(async () => {
      const { id: environmentId } = await this.environments.lockForChange(caller, target);
      await deleteOrThrow(this.secrets, { environmentId, id });
    });
  }

  /**
   * Adds secrets and replaces those with the same keys; others stay. Of several with one key, the last counts.
   *
   * @returns the keys of those that logs cannot mask
   * @throws ConflictError when the environment is full
   */
  set(caller: Principal, target: EnvironmentId, values: readonly EnvironmentValueDto[]): Promise<string[]> {
    const byKey = new Map(values.map(({ key, value }) => [key, value]));
    return this.change(caller, target, async (environment) => {
      // A sealed value belongs to the id of its row, so the ids of rows that exist are needed first.
      const present = await idsByKey(secretStore, environment, [...byKey.keys()]);
      const rows = Array.from(byKey, ([key, value]) => {
        const id = present.get(key) ?? uuid();
        return { id, key, ...this.sealed(id, value) };
      });
      await sql(
        `INSERT INTO environment_secrets (id, app_id, environment_id, key, sealed_value, masked)
         SELECT new.id, $1, $2, new.key, new.sealed_value, new.masked
           FROM unnest($3::uuid[], $4::text[], $5::text[], $6::boolean[]) AS new (id, key, sealed_value, masked)
         ON CONFLICT ON CONSTRAINT ${ENVIRONMENT_SECRETS_KEY_KEY} DO UPDATE
            SET sealed_value = excluded.sealed_value, masked = excluded.masked, updated_at = now()`,
        [
          environment.appId,
          environment.id,
          rows.map(({ id }) => id),
          rows.map(({ key }) => key),
          rows.map(({ sealedValue }) => sealedValue),
          rows.map(({ masked }) => masked),
        ],
      );
      return rows.filter(({ masked }) => !masked).map(({ key }) => key);
    });
  }

  /** Removes secrets by key; unknown keys are ignored. */
  unset(caller: Principal, target: EnvironmentId, keys: readonly string[]): Promise<void> {
    return transaction(async () =>
      unset(secretStore, await this.environments.lockForChange(caller, target), keys),
    );
  }

  /** The values of an environment's secrets in clear, by key. Callers record the read. */
  async valuesOf({ appId, id: environmentId }: EnvironmentId): Promise<[key: string, value: string][]> {
    const secrets = await this.secrets.find({ where: { appId, environmentId }, order: { key: 'ASC' } });
    return secrets.map(({ id, key, sealedValue }) => [key, this.box.open(sealedValue, contextOf(id))]);
  }

  private sealed(id: string, value: string): Pick<EnvironmentSecret, 'sealedValue' | 'masked'> {
    return { sealedValue: this.box.seal(value, contextOf(id)), masked: value.length >= MIN_MASKED_LENGTH };
  }

  private change<R>(
    caller: Principal,
    target: EnvironmentId,
    write: (environment: Environment) => Promise<R>,
  ): Promise<R> {
    return transaction(async () => {
      const environment = await this.environments.lockForChange(caller, target);
      const result = await write(environment);
      await requireRoom(secretStore, environment);
      return result;
    });
  }
}

function contextOf(id: string): string {
  return `environment_secrets:${id}`;
}
