import { ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn } from 'class-validator';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsDateInput } from '../../common/validation/date-input.decorator.js';
import { emptyAsAbsent } from '../../common/validation/empty-as-absent.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsAbsentOr } from '../../common/validation/optional.decorators.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import {
  type AuditAction,
  auditActions,
  type AuditObjectType,
  auditObjectTypes,
} from './audit-event.entity.js';

const absentIfEmpty = ({ value }: { value: unknown }): unknown => emptyAsAbsent(value);

/** Which audit events to list. All filters must hold. */
export class ListAuditEventsQuery extends PageQuery {
  /** Only what was created, updated or deleted. */
  @ApiPropertyOptional({ enum: auditActions, enumName: 'AuditAction' })
  @Transform(absentIfEmpty)
  @IsAbsentOr()
  @IsIn(auditActions, { message: `$property must be one of ${auditActions.join(', ')}.` })
  action?: AuditAction;

  /** Only objects of this type. */
  @ApiPropertyOptional({ enum: auditObjectTypes, enumName: 'AuditObjectType' })
  @Transform(absentIfEmpty)
  @IsAbsentOr()
  @IsIn(auditObjectTypes, { message: `$property must be one of ${auditObjectTypes.join(', ')}.` })
  objectType?: AuditObjectType;

  /** Only the object with exactly this id. */
  @QueryText()
  objectId?: string;

  /** Only what this user has done. */
  @Transform(absentIfEmpty)
  @IsAbsentOr()
  @IsId()
  userId?: string;

  /** Only this app and what belongs to it. */
  @Transform(absentIfEmpty)
  @IsAbsentOr()
  @IsId()
  appId?: string;

  /** Only events of this time and later. */
  @Transform(absentIfEmpty)
  @IsAbsentOr()
  @IsDateInput()
  from?: Date;

  /** Only events before this time. */
  @Transform(absentIfEmpty)
  @IsAbsentOr()
  @IsDateInput()
  to?: Date;

  /** Only what the request with this `X-Request-Id` has done. */
  @QueryText()
  requestId?: string;
}

/** Which audit events to export: the filters of the list. */
export class ExportAuditEventsQuery extends OmitType(ListAuditEventsQuery, ['limit', 'offset']) {}
