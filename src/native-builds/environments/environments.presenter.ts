import { Injectable } from '@nestjs/common';
import {
  toEnvironmentSecretDto,
  toEnvironmentVariableDto,
} from '../environment-values/environment-value.dto.js';
import { type EnvironmentDto, toEnvironmentDto } from './environment.dto.js';
import type { Environment } from './environment.entity.js';
import { EnvironmentsQueries } from './environments.queries.js';

/** Builds the responses for environments: one statement for each relation, for any number of environments. */
@Injectable()
export class EnvironmentsPresenter {
  constructor(private readonly queries: EnvironmentsQueries) {}

  /** @param relations relations to include: `appEnvironmentVariables`, `appEnvironmentSecrets` */
  async present(
    environments: readonly Environment[],
    relations: readonly string[] = [],
  ): Promise<EnvironmentDto[]> {
    const ids = environments.map(({ id }) => id);
    const variables = relations.includes('appEnvironmentVariables')
      ? byEnvironment(await this.queries.variables(ids))
      : null;
    const secrets = relations.includes('appEnvironmentSecrets')
      ? byEnvironment(await this.queries.secrets(ids))
      : null;
    return environments.map((environment) =>
      toEnvironmentDto(environment, {
        variables:
          variables === null ? undefined : listOf(variables, environment).map(toEnvironmentVariableDto),
        secrets: secrets === null ? undefined : listOf(secrets, environment).map(toEnvironmentSecretDto),
      }),
    );
  }

  async presentOne(environment: Environment, relations?: readonly string[]): Promise<EnvironmentDto> {
    const [dto] = await this.present([environment], relations);
    return dto as EnvironmentDto;
  }
}

function byEnvironment<T extends { environmentId: string }>(rows: readonly T[]): Map<string, T[]> {
  return Map.groupBy(rows, ({ environmentId }) => environmentId);
}

function listOf<T>(groups: ReadonlyMap<string, T[]>, { id }: Environment): T[] {
  return groups.get(id) ?? [];
}
