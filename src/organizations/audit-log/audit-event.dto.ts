import { ApiProperty } from '@nestjs/swagger';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import {
  type AuditAction,
  auditActions,
  type AuditEvent,
  type AuditObjectType,
  auditObjectTypes,
  type AuditValues,
} from './audit-event.entity.js';

/** Who made a change. */
export class AuditActorDto {
  /** The user; `null`: nobody was signed in. */
  @ApiId()
  userId!: string | null;

  /** E-mail address of the user at that time. */
  email!: string | null;

  /** The API token that was used; `null`: none. */
  @ApiId()
  tokenId!: string | null;

  /** The session that was used; `null`: none. */
  @ApiId()
  sessionId!: string | null;

  /** IPv4 or IPv6 address, through trusted proxies that of the client; `null`: unknown. */
  address!: string | null;

  /** The header `User-Agent`; `null`: none. */
  userAgent!: string | null;
}

/** What was changed. */
export class AuditObjectDto {
  @ApiProperty({ enum: auditObjectTypes, enumName: 'AuditObjectType' })
  type!: AuditObjectType;

  /** A UUID, but for devices, which choose their ids. */
  id!: string;

  /** Its name at that time; of what belongs to a user, the user's e-mail address; `null`: it has none. */
  name!: string | null;

  /** The app that it is or belongs to; `null`: none. */
  @ApiId()
  appId!: string | null;
}

/** One change of one object. */
export class AuditEventDto {
  @ApiId()
  id!: string;

  @ApiId()
  organizationId!: string;

  /** Place in the organization's log: from 1, without gaps. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  sequence!: number;

  @ApiTime()
  createdAt!: string;

  @ApiProperty({ enum: auditActions, enumName: 'AuditAction' })
  action!: AuditAction;

  /** `null`: a program at the console, or somebody with access to the database. */
  @ApiProperty({ type: AuditActorDto, nullable: true })
  actor!: AuditActorDto | null;

  object!: AuditObjectDto;

  /** Fields as they were before, secrets as `***`; of a change only those that differ; `null`: it was created. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  before!: AuditValues | null;

  /** Fields as they were afterwards, in the same way; `null`: it was deleted. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  after!: AuditValues | null;

  /** `X-Request-Id` of the request; `null` without one. */
  requestId!: string | null;

  /**
   * Id of the operation that the request called; `null` without one.
   * @example 'Channels_pause'
   */
  operation!: string | null;

  /** `hash` of the event before; of the first one, 64 zeros. */
  previousHash!: string;

  /** SHA-256 over `previousHash` and the event, lower-case hexadecimal. */
  hash!: string;
}

/** What is shown of an event. */
export function toAuditEventDto(event: AuditEvent): AuditEventDto {
  return {
    id: event.id,
    organizationId: event.organizationId,
    sequence: event.sequence,
    createdAt: event.createdAt.toISOString(),
    action: event.action,
    actor: actorOf(event),
    object: {
      type: event.objectType,
      id: event.objectId,
      name: event.objectName,
      appId: event.appId,
    },
    before: event.before,
    after: event.after,
    requestId: event.requestId,
    operation: event.operation,
    previousHash: event.previousHash,
    hash: event.hash,
  };
}

/** Every request has an id; what has none was no request. */
function actorOf(event: AuditEvent): AuditActorDto | null {
  if (event.requestId === null) return null;
  return {
    userId: event.userId,
    email: event.userEmail,
    tokenId: event.tokenId,
    sessionId: event.sessionId,
    address: event.address,
    userAgent: event.userAgent,
  };
}
