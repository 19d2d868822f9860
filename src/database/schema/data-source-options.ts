import type { DataSourceOptions } from 'typeorm';
import pg from 'pg';
import { ConnectionPool } from '../connections/connection-pool.js';
import { SnakeCaseNamingStrategy } from './naming-strategy.js';

/** PostgreSQL's id of the type `bigint`. */
const INT8 = pg.types.builtins.INT8;

/** Type parsers for connections: the usual ones of the driver, and `parseInt8`. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary' ? parseInt8 : pg.types.getTypeParser(oid, format as 'text'),
};

/** Milliseconds after which the system asks the other side of an idle connection for a sign of life. */
export const KEEP_ALIVE_DELAY = 10_000;

/**
 * How Slipway connects to PostgreSQL: the options that the application, the migrations and the tests share.
 *
 * @param url address of the database
 * @param poolSize largest number of connections
 * @param statementTimeout milliseconds that one statement may take; 0: no limit
 */
export function dataSourceOptions(
  url: string,
  poolSize: number,
  statementTimeout = 60_000,
): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    driver: { Pool: ConnectionPool },
    poolSize,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    namingStrategy: new SnakeCaseNamingStrategy(),
    connectTimeoutMS: 10_000,
    installExtensions: false,
    extra: {
      application_name: 'slipway',
      types: typeParsers,
      // A statement that hangs must not hold locks for ever, nor a transaction whose server is gone: nothing inside of one
      // waits for anything but the database (ADR 16).
      statement_timeout: statementTimeout,
      idle_in_transaction_session_timeout: 20_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY,
    },
  };
}

/**
 * Reads a `bigint`: the one place that decides what it becomes, for every column and every query.
 *
 * @param text decimal digits
 * @returns a number if it is exact (up to 2^53), otherwise a `bigint`: only bit masks are that large
 */
export function parseInt8(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}
