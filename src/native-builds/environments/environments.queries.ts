import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { EnvironmentSecret } from '../environment-values/environment-secret.entity.js';
import { EnvironmentVariable } from '../environment-values/environment-variable.entity.js';

/** SQL of environments, with what is in them. */
@Injectable()
export class EnvironmentsQueries {
  constructor(private readonly sql: Sql) {}

  /** The variables of several environments, by key. */
  variables(environmentIds: readonly string[]): Promise<EnvironmentVariable[]> {
    return this.sql.query(
      `SELECT ${this.sql.columns(EnvironmentVariable, 'variable')}
         FROM environment_variables AS variable WHERE environment_id = ANY($1) ORDER BY key`,
      [environmentIds],
    );
  }

  /** The secrets of several environments, by key. */
  secrets(environmentIds: readonly string[]): Promise<EnvironmentSecret[]> {
    return this.sql.query(
      `SELECT ${this.sql.columns(EnvironmentSecret, 'secret')}
         FROM environment_secrets AS secret WHERE environment_id = ANY($1) ORDER BY key`,
      [environmentIds],
    );
  }
}
