import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { DatabaseUnavailableError } from '../../common/errors/database-unavailable.error.js';

/** The reason when a connection broke or timed out. */
export const CONNECTION_LOST = 'connection lost';

/** SQLSTATE `read_only_sql_transaction`. */
export const READ_ONLY = '25006';

/** SQLSTATE: the connection broke, too few resources, the server starts or stops, or it became a read-only standby. */
const UNAVAILABLE = /^(08...|53...|57P0[1-5]|25006)$/;
/** Codes of Node.js for a peer that cannot be reached. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);
/** Reasons of a server, or of its machine, that takes no connections at all. */
const AWAY = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOENT|57P0[1-5])$/;
/** Messages of the driver and of its pool, whose errors have no code. */
const TEXTS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^timeout exceeded when trying to connect/, 'no free connection'],
  [/^(Connection terminated|timeout expired|Query read timeout)/, CONNECTION_LOST],
  [/not queryable$/, CONNECTION_LOST],
];

/** Why the database could not be used, for the log; `null`: the error has another cause. */
export function unavailableReason(error: unknown): string | null {
  if (error instanceof DatabaseUnavailableError) return error.reason;
  if (error instanceof QueryRunnerAlreadyReleasedError) return CONNECTION_LOST;
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  // pg-boss copies errors into plain objects.
  if (typeof cause !== 'object' || cause === null) return null;
  const { code, message = '' } = cause as Partial<NodeJS.ErrnoException>;
  if (code !== undefined && (UNREACHABLE.has(code) || UNAVAILABLE.test(code))) return code;
  return TEXTS.find(([pattern]) => pattern.test(message))?.[1] ?? null;
}

/** What the failure to connect says about the server of the database; `unknown`: it may be slow or unreachable. */
export function reachability(error: unknown): 'away' | 'responds' | 'unknown' {
  const reason = unavailableReason(error);
  // Neither the server nor a pooler says 08, 25 or 53 unless it is there.
  if (reason === null || /^(08|25|53)/.test(reason)) return 'responds';
  return AWAY.test(reason) ? 'away' : 'unknown';
}

/** The error as `DatabaseUnavailableError` if that is its cause. */
export function translateUnavailable(error: unknown): unknown {
  const reason = unavailableReason(error);
  if (reason === null || error instanceof DatabaseUnavailableError) return error;
  return new DatabaseUnavailableError(reason, messageOf(error));
}

/** What the driver reported, in one line. */
export function messageOf(error: unknown): string {
  const { message } = error as { message?: string };
  return message || String(error);
}
