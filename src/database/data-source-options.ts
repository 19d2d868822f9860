import { join } from 'node:path';
import type { DataSourceOptions } from 'typeorm';
import { SnakeCaseNamingStrategy } from './naming-strategy.js';
import { typeParsers } from './parse-int8.js';

/** The compiled tree that this file is part of: entities and migrations are found below it. */
const root = join(import.meta.dirname, '../..');

/**
 * How Slipway talks to PostgreSQL: the one set of options for the application, the migration command and the tests.
 *
 * @param url address of the database
 * @param poolSize connections kept at most
 * @param statementTimeout milliseconds that one statement may take; 0: any time
 */
export function dataSourceOptions(
  url: string,
  poolSize: number,
  statementTimeout = 60_000,
): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    poolSize,
    entities: [join(root, 'src/**/*.entity.js')],
    migrations: [join(root, 'migrations/*.js')],
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    namingStrategy: new SnakeCaseNamingStrategy(),
    connectTimeoutMS: 10_000,
    installExtensions: false,
    extra: {
      application_name: 'slipway',
      types: typeParsers,
      // A statement or an idle transaction that hangs must not hold locks for ever.
      statement_timeout: statementTimeout,
      idle_in_transaction_session_timeout: 60_000,
      keepAlive: true,
    },
  };
}
