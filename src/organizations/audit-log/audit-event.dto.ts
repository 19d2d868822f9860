import { ApiProperty, OmitType } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { EXAMPLE_SHA256, EXAMPLE_TIME, exampleId } from '../../common/openapi/example-values.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsDateInput } from '../../common/validation/date-input.decorator.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import {
  type AuditAction,
  auditActions,
  type AuditEvent,
  type AuditObjectType,
  auditObjectTypes,
  type AuditValues,
} from './audit-event.entity.js';

/** The author of a change. */
export class AuditActorDto {
  /** The user; `null`: no user was signed in. */
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

/** The changed object. */
export class AuditObjectDto {
  @ApiProperty({ enum: auditObjectTypes, enumName: 'AuditObjectType' })
  type!: AuditObjectType;

  /** A UUID, but for devices, which choose their ids. */
  id!: string;

  /** Its name at that time; for objects of a user, the user's email address; `null`: none. */
  name!: string | null;

  /** The app itself, or the app that the object belongs to; `null`: none. */
  @ApiId()
  appId!: string | null;
}

/** One change of one object. */
@ApiExample({
  action: 'updated',
  object: {
    type: 'channel',
    id: exampleId('Channel'),
    name: 'production',
    appId: exampleId('App'),
  },
  before: { pausedAt: null },
  after: { pausedAt: EXAMPLE_TIME },
  previousHash: '0'.repeat(64),
  hash: EXAMPLE_SHA256,
})
export class AuditEventDto {
  @ApiId()
  id!: string;

  @ApiId()
  organizationId!: string;

  /** Position in the log of the organization, from 1 without gaps. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  sequence!: number;

  @ApiTime()
  createdAt!: string;

  @ApiProperty({ enum: auditActions, enumName: 'AuditAction' })
  action!: AuditAction;

  /** `null`: an operator command, or direct access to the database. */
  @ApiProperty({ type: AuditActorDto, nullable: true })
  actor!: AuditActorDto | null;

  object!: AuditObjectDto;

  /** Fields before the change, secrets as `***`; for an update, only the fields that differ; `null`: created. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  before!: AuditValues | null;

  /** Fields after the change, in the same way; `null`: deleted. */
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

/** The response for an event. */
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

/** Which audit events to list. All filters must hold. */
export class ListAuditEventsQuery extends PageQuery {
  /** Only events with this action. */
  @IsEmptyOr()
  @IsOneOf(auditActions, 'AuditAction')
  action?: AuditAction;

  /** Only objects of this type. */
  @IsEmptyOr()
  @IsOneOf(auditObjectTypes, 'AuditObjectType')
  objectType?: AuditObjectType;

  /** Only the object with exactly this id. */
  @QueryText()
  objectId?: string;

  /** Only changes by this user. */
  @IsEmptyOr()
  @IsId()
  userId?: string;

  /** Only this app and what belongs to it. */
  @IsEmptyOr()
  @IsId()
  appId?: string;

  /** Only events at or after this time. */
  @IsEmptyOr()
  @IsDateInput()
  from?: Date;

  /** Only events before this time. */
  @IsEmptyOr()
  @IsDateInput()
  to?: Date;

  /** Only changes by the request with this `X-Request-Id`. */
  @QueryText()
  requestId?: string;
}

/** Which audit events to export: the filters of the list. */
export class ExportAuditEventsQuery extends OmitType(ListAuditEventsQuery, ['limit', 'offset']) {}
