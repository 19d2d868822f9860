import type { NewSessionCode } from './session-codes.service.js';

/** A request to sign in, for someone to approve at `/login/device`. It is valid for ten minutes. */
export class SessionCodeDto {
  /**
   * Secret: what the program exchanges for a session (`code` of `POST /v1/sessions`).
   * @example 'sUq0m6yYtq3o5v2yJb0bS1xgq7yqk9wL'
   */
  id!: string;

  /**
   * What the user types at `/login/device`: 8 upper-case letters, usually shown as `BCDF-GHJK`.
   * @example 'BCDFGHJK'
   */
  code!: string;
}

/** The response for a new session code. */
export function toSessionCodeDto({ id, code }: NewSessionCode): SessionCodeDto {
  return { id, code };
}
