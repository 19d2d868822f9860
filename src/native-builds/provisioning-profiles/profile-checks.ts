import { databaseNow } from '../../common/database-clock.js';
import { ConflictError, invalidField } from '../../common/errors/app-error.js';

/** Of all profiles of a certificate, which a build gets at once. Each has about twelve kilobytes. */
const MAX_BYTES = 16 * 1024 ** 2;

/** @throws InvalidRequestError when a profile has expired */
export function requireValid(expiresAt: Date): void {
  if (expiresAt > databaseNow()) return;
  throw invalidField(
    'file',
    `file is a profile that expired on ${expiresAt.toISOString().slice(0, 10)}: make a new one at developer.apple.com.`,
  );
}

/** @param bytes of all profiles of a certificate @throws ConflictError when they are too large for a build */
export function requireFewBytes(bytes: number): void {
  if (bytes <= MAX_BYTES) return;
  const message = `A certificate has at most ${MAX_BYTES / 1024 ** 2} MiB of provisioning profiles: delete some.`;
  throw new ConflictError(message, 'limit_reached');
}
