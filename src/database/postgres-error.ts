import { QueryFailedError } from 'typeorm';

/** What PostgreSQL tells about a statement that it refused. */
export interface PostgresError {
  /** SQLSTATE. */
  readonly code?: string;
  /** The constraint that was violated. */
  readonly constraint?: string;
}

/** What PostgreSQL has told; nothing when the error is of another origin. */
export function postgresErrorOf(error: unknown): PostgresError {
  return error instanceof QueryFailedError ? (error.driverError as PostgresError) : {};
}
