import { QueryFailedError } from 'typeorm';

/** What PostgreSQL reports about a statement that it refused. */
export interface PostgresError {
  /** SQLSTATE. */
  readonly code?: string;
  /** The constraint that was violated. */
  readonly constraint?: string;
}

/** The report of PostgreSQL; empty when the error has another origin. */
export function postgresErrorOf(error: unknown): PostgresError {
  return error instanceof QueryFailedError ? (error.driverError as PostgresError) : {};
}
