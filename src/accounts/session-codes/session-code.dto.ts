import { ApiProperty } from '@nestjs/swagger';
import { Equals } from 'class-validator';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { FormText } from '../../pages/forms/form-text.decorator.js';
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

/** Exchanges an approved session code for a session. */
export class CreateSessionDto {
  /**
   * The `id` of the session code, not the code that people type.
   * @example 'sUq0m6yYtq3o5v2yJb0bS1xgq7yqk9wL'
   */
  @IsText(256)
  code!: string;

  /** How the user signs in: always `code`. */
  @ApiProperty({ enum: ['code'] })
  @Equals('code', { message: 'provider must be "code".' })
  provider!: 'code';
}

/** A code that a program shows, and the decision on it. */
export class DeviceForm {
  @FormText(100)
  code: string = '';

  /** `approve` or `deny`; empty to look at the request first. */
  @FormText(10)
  decision: string = '';
}
