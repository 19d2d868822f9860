import { ApiProperty } from '@nestjs/swagger';
import { sessionKinds } from '../../common/access/session-token.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import type { NewSession } from './sessions.service.js';
import type { Session } from './session.entity.js';
import { expiryOf } from './session-lifetime.js';

/** A sign-in that lasts until it is deleted or has expired. */
export class SessionDto {
  /** @example '0199b0c2-7c1e-7bd3-a3c1-4c29f4a7d8aa' */
  @ApiId()
  id!: string;

  /** `device`: a program that was signed in by a code; `browser`: the pages of this server. */
  @ApiProperty({ enum: sessionKinds })
  kind!: 'device' | 'browser';

  /** Whether this request was made with the token of the session. */
  current!: boolean;

  /**
   * IP address that created the session.
   * @example '192.0.2.7'
   */
  address!: string;

  /**
   * The header `User-Agent` of the program that created the session; `null`: none.
   * @example 'Capawesome CLI v4.18.4'
   */
  userAgent!: string | null;

  /** Last use, accurate to a few minutes. */
  @ApiTime()
  lastUsedAt!: string;

  /** Expiry: 30 days after the last use, at most 90 days after creation. */
  @ApiTime()
  expiresAt!: string;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** A new session. */
export class NewSessionDto {
  /** Not secret; `DELETE /v1/sessions/{id}` takes it. */
  @ApiId()
  id!: string;

  /**
   * The bearer token of the session. It is shown only here.
   * @example 'ses_0123456789abcdef0123456789abcdef0123456789abcdef'
   */
  token!: string;
}

/**
 * The response for a session.
 *
 * @param currentId the session that asks
 */
export function toSessionDto(session: Session, currentId: string | undefined): SessionDto {
  return {
    id: session.id,
    kind: session.kind,
    current: session.id === currentId,
    address: session.address,
    userAgent: session.userAgent,
    lastUsedAt: session.lastUsedAt.toISOString(),
    expiresAt: expiryOf(session).toISOString(),
    createdAt: session.createdAt.toISOString(),
    updatedAt: session.updatedAt.toISOString(),
  };
}

/** The response for a new session. */
export function toNewSessionDto({ id, token }: NewSession): NewSessionDto {
  return { id, token };
}
