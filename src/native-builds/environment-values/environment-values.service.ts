import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { Principal } from '../../common/access/principal.js';
import { ConflictError } from '../../common/errors/app-error.js';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { countMaskedLines, MIN_MASKED } from '../../common/secrets/secret-forms.js';
import { deleteOrThrow, insertOrThrow, updateOrThrow } from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import type { Environment } from '../environments/environment.entity.js';
import { EnvironmentsService } from '../environments/environments.service.js';
import { ENVIRONMENT_SECRETS_KEY_KEY, EnvironmentSecret } from './environment-secret.entity.js';
import { MAX_SECRET_LINES, MAX_TOTAL_BYTES, MAX_VALUES } from './environment-value.decorators.js';
import type { EnvironmentValueDto, UpdateEnvironmentValueDto } from './environment-value.dto.js';
import type { EnvironmentValue } from './environment-value.entity.js';
import { EnvironmentValuesQueries } from './environment-values.queries.js';
import { ENVIRONMENT_VARIABLES_KEY_KEY, EnvironmentVariable } from './environment-variable.entity.js';

/** An environment by its app and its own id. */
type EnvironmentId = Pick<Environment, 'appId' | 'id'>;

/** The two kinds of values, and their rows. */
interface Values {
  variable: EnvironmentVariable;
  secret: EnvironmentSecret;
}
type Kind = keyof Values;

const keyTaken = (kind: Kind) => () =>
  new ConflictError(`The environment already has a ${kind} with this key.`, 'environment_key_taken');
const violations = {
  [ENVIRONMENT_VARIABLES_KEY_KEY]: keyTaken('variable'),
  [ENVIRONMENT_SECRETS_KEY_KEY]: keyTaken('secret'),
};

/**
 * The variables and secrets of environments. They differ in their tables, and in that the values of secrets are sealed.
 *
 * Changes take the lock of the environment, so that limits are exact; they throw as `EnvironmentsService.lockForChange`.
 */
@Injectable()
export class EnvironmentValuesService {
  constructor(
    @InjectRepository(EnvironmentVariable) private readonly variables: Repository<EnvironmentVariable>,
    @InjectRepository(EnvironmentSecret) private readonly secrets: Repository<EnvironmentSecret>,
    private readonly environments: EnvironmentsService,
    private readonly queries: EnvironmentValuesQueries,
    private readonly box: SecretBox,
  ) {}

  /** All values of an environment, by key. @throws NotFoundError */
  async list<K extends Kind>(kind: K, { appId, id }: EnvironmentId): Promise<Values[K][]> {
    const { id: environmentId } = await this.environments.get(appId, id);
    return this.rows(kind).find({ where: { environmentId }, order: { key: 'ASC' } }) as Promise<Values[K][]>;
  }

  /** @throws ConflictError when the environment has this key, or is full */
  create<K extends Kind>(
    kind: K,
    caller: Principal,
    target: EnvironmentId,
    { key, value }: EnvironmentValueDto,
  ): Promise<Values[K]> {
    return this.change(kind, caller, target, ({ appId, id: environmentId }) => {
      const values = { appId, environmentId, key, ...this.columnsOf(kind, uuid(), value) };
      return insertOrThrow(this.rows(kind), values, violations) as Promise<Values[K]>;
    });
  }

  /** @throws NotFoundError @throws ConflictError when the environment has the new key, or is full */
  update<K extends Kind>(
    kind: K,
    caller: Principal,
    target: EnvironmentId,
    id: string,
    { key, value }: UpdateEnvironmentValueDto,
  ): Promise<Values[K]> {
    return this.change(kind, caller, target, ({ id: environmentId }) => {
      const changes = { key, ...(value === undefined ? {} : this.columnsOf(kind, id, value)) };
      const where = { environmentId, id };
      return updateOrThrow(this.rows(kind), where, changes, violations) as Promise<Values[K]>;
    });
  }

  /** @throws NotFoundError */
  delete(kind: Kind, caller: Principal, target: EnvironmentId, id: string): Promise<void> {
    return transaction(async () => {
      const { id: environmentId } = await this.environments.lockForChange(caller, target);
      await deleteOrThrow(this.rows(kind), { environmentId, id });
    });
  }

  /**
   * Adds values and replaces those with the same keys; others stay. Of several with one key, the last counts.
   *
   * @throws ConflictError when the environment is full
   */
  set(
    kind: Kind,
    caller: Principal,
    target: EnvironmentId,
    values: readonly EnvironmentValueDto[],
  ): Promise<void> {
    const byKey = new Map(values.map(({ key, value }) => [key, value]));
    return this.change(kind, caller, target, async ({ appId, id: environmentId }) => {
      // A sealed value belongs to the id of its row, so the ids of rows that exist are needed first.
      const present = await this.rows(kind).findBy({ environmentId, key: In([...byKey.keys()]) });
      const ids = new Map(present.map(({ key, id }) => [key, id]));
      const rows = Array.from(byKey, ([key, value]) => {
        return { appId, environmentId, key, ...this.columnsOf(kind, ids.get(key) ?? uuid(), value) };
      });
      await this.rows(kind).upsert(rows, {
        conflictPaths: ['environmentId', 'key'],
        skipUpdateIfNoValuesChanged: true,
      });
    });
  }

  /** Removes values by key; unknown keys are ignored. */
  unset(kind: Kind, caller: Principal, target: EnvironmentId, keys: readonly string[]): Promise<void> {
    return transaction(async () => {
      const { id: environmentId } = await this.environments.lockForChange(caller, target);
      await this.rows(kind).delete({ environmentId, key: In(keys) });
    });
  }

  /** The values of an environment's secrets in clear, by key. Callers record the read. */
  async openSecrets({ appId, id: environmentId }: EnvironmentId): Promise<[key: string, value: string][]> {
    const secrets = await this.secrets.find({ where: { appId, environmentId }, order: { key: 'ASC' } });
    return secrets.map(({ id, key, sealedValue }) => [key, this.box.open(sealedValue, contextOf(id))]);
  }

  /**
   * Why no build can use an environment: its secrets have more lines than logs are searched for. Environments from before
   * this limit can be so.
   *
   * @returns a sentence; `null`: builds can use it
   */
  async excessLines(environment: Environment): Promise<string | null> {
    const secrets = await this.openSecrets(environment);
    const lines = countMaskedLines(secrets.map(([, value]) => value));
    if (lines <= MAX_SECRET_LINES) return null;
    return `The secrets of the environment ${environment.name} can have at most ${MAX_SECRET_LINES} lines in all, not ${lines}: store long texts in Base64, which is one line.`;
  }

  private rows(kind: Kind): Repository<EnvironmentValue> {
    return kind === 'variable' ? this.variables : this.secrets;
  }

  /** The columns of one value: sealed if it is that of a secret. */
  private columnsOf(kind: Kind, id: string, value: string): { id: string } {
    const secret = (): Partial<EnvironmentSecret> => ({
      sealedValue: this.box.seal(value, contextOf(id)),
      masked: value.length >= MIN_MASKED,
    });
    return { id, ...(kind === 'secret' ? secret() : { value }) };
  }

  private change<R>(
    kind: Kind,
    caller: Principal,
    target: EnvironmentId,
    write: (environment: Environment) => Promise<R>,
  ): Promise<R> {
    return transaction(async () => {
      const environment = await this.environments.lockForChange(caller, target);
      const result = await write(environment);
      const { count, bytes } = await this.queries.totals(kind, environment.id);
      if (count > MAX_VALUES || bytes > MAX_TOTAL_BYTES) {
        const message = `An environment has at most ${MAX_VALUES} ${kind}s of ${MAX_TOTAL_BYTES} bytes in total.`;
        throw new ConflictError(message, 'environment_full');
      }
      const excess = kind === 'secret' ? await this.excessLines(environment) : null;
      if (excess !== null) throw new ConflictError(excess, 'environment_full');
      return result;
    });
  }
}

function contextOf(id: string): string {
  return `environment_secrets:${id}`;
}
