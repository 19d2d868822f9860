import type { CataloguedError } from './catalogued-error.js';

/** Errors of rate limits and of the server. */
export const serverErrors = {
  internal_error: {
    status: 500,
    message: 'An internal error occurred.',
    meaning: 'The server failed.',
    action: 'Look for the request id in the log.',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests. Try again in 12 seconds.',
    meaning:
      'Too many requests in this minute with this token or from this address, or too many that wait for events.',
    action: 'Wait for `Retry-After` seconds; see [rate limits](api-conventions.md#rate-limits).',
  },
  server_busy: {
    status: 429,
    message: 'Other work of this kind takes all that your account may use at once. Try again in 5 seconds.',
    meaning:
      'What all tenants share is divided by [account](capacity.md#shared-capacity), and the work did not get its turn in time.',
    action: 'Repeat the request after `Retry-After` seconds, and send fewer of its kind at once.',
  },
  file_damaged: {
    status: 500,
    message: 'The stored file is damaged. It has to be uploaded again.',
    meaning:
      'For a download: the stored bytes are gone or others than those that were uploaded, and are not sent.',
    action:
      'Upload the same bytes again, in any bundle: see [operations](operations.md#checking-stored-files).',
  },
  insufficient_storage: {
    status: 507,
    message: 'The server has not enough free storage. Free some space, or ask an operator to.',
    meaning:
      'The storage of files is full, or an upload would use the space that is [reserved](operations.md#free-storage).',
    action: 'Delete bundles that are no longer needed, or enlarge the storage. Then try again.',
  },
  storage_unavailable: {
    status: 503,
    message: 'The file storage of the server is not available. Try again in a moment.',
    meaning:
      'The storage of files is away, read-only or cannot be accessed. The file was not stored; whether another write took effect may be unknown.',
    action:
      'Repeat the request after `Retry-After` seconds, a write with the same [`Idempotency-Key`](api-conventions.md#retrying). The log of the server has the cause.',
  },
  delta_queue_full: {
    status: 503,
    message: 'Too many deltas of this app are waiting. Try again in a moment, or download the bundle.',
    meaning: 'Other deltas of the app are being made, and 20 wait already.',
    action: 'Try again after `Retry-After` seconds, or download the files of the bundle.',
  },
  artifact_reader_busy: {
    status: 503,
    message: 'The server is too busy to read the artifact. Try again in a moment.',
    meaning:
      'Reading an artifact has waited two minutes for others, because one of an organization is read at a time. Or the machine is so busy that the process that reads it did not get 20 seconds of processor time within a minute. Nothing is said about the file.',
    action: 'Repeat the request after `Retry-After` seconds.',
  },
  certificate_reader_busy: {
    status: 503,
    message: 'The server is too busy to open the file. Try again in a moment.',
    meaning:
      'The machine is so busy that the process that opens a certificate or a provisioning profile did not get 5 seconds of processor time within 15 seconds. Nothing is said about the file.',
    action: 'Repeat the request after `Retry-After` seconds.',
  },
  database_unavailable: {
    status: 503,
    message: 'The database is not available. Try again in a few seconds.',
    meaning:
      'The server cannot reach its database, or lost the connection during the request. Whether a write took effect is then unknown.',
    action:
      'Repeat the request after `Retry-After` seconds, a write with the same [`Idempotency-Key`](api-conventions.md#retrying).',
  },
  database_busy: {
    status: 503,
    message: 'The request has waited too long for others that change the same. Try again in a few seconds.',
    meaning:
      'PostgreSQL ended a statement that took longer than a minute, nearly always because other requests had locked the same rows. The transaction was rolled back.',
    action:
      'Repeat the request after `Retry-After` seconds, a write with the same [`Idempotency-Key`](api-conventions.md#retrying). The log of the server has the statement.',
  },
  unavailable: {
    status: 503,
    message: 'The service is shutting down or not ready.',
    meaning: 'The process is stopping.',
    action: 'Try again. Behind a load balancer, another replica responds.',
  },
} as const satisfies Readonly<Record<string, CataloguedError>>;
