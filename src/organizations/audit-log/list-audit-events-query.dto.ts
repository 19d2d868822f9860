import { OmitType } from '@nestjs/swagger';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsDateInput } from '../../common/validation/date-input.decorator.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import {
  type AuditAction,
  auditActions,
  type AuditObjectType,
  auditObjectTypes,
} from './audit-event.entity.js';

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
