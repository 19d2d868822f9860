import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** The tables of values, and how many bytes a value of theirs has. Sealed values are in Base64. */
const variables = { table: 'environment_variables', bytes: 'octet_length(value)' };
const secrets = { table: 'environment_secrets', bytes: 'octet_length(sealed_value) * 3 / 4' };

/** How much an environment holds of one kind. */
export interface ValueTotals {
  readonly count: number;
  /** Of keys and values. */
  readonly bytes: number;
}

/** SQL of variables and secrets. */
@Injectable()
export class EnvironmentValuesQueries {
  constructor(private readonly sql: Sql) {}

  /** Counts the variables or secrets of an environment. */
  async totals(kind: 'variable' | 'secret', environmentId: string): Promise<ValueTotals> {
    const { table, bytes } = kind === 'variable' ? variables : secrets;
    const [totals] = await this.sql.query<ValueTotals>(
      `SELECT count(*)::int AS count, coalesce(sum(octet_length(key) + ${bytes}), 0)::int AS bytes
         FROM ${table} WHERE environment_id = $1`,
      [environmentId],
    );
    return totals as ValueTotals;
  }
}
