import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from 'class-validator';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { IsNullable } from '../../common/validation/optional.decorators.js';
import type { Deployment } from './deployment.entity.js';

/** An override of approvals and freezes. */
export class EmergencyInputDto {
  /**
   * Reason for the override, 1 to 1,000 characters; stored with the deployment and in the audit log.
   * @example 'Payments fail since 14:00; INC-42'
   */
  @IsText(1000, 1)
  reason!: string;
}

/** An `emergency` in a body, absent or `null` when there is none. */
export function IsEmergency(): PropertyDecorator {
  const message = '$property must be an object with a reason.';
  return applyDecorators(
    IsNullable(),
    ApiPropertyOptional({ type: EmergencyInputDto, nullable: true }),
    ValidateNested({ message }),
    Type(() => EmergencyInputDto),
    IsObject({ message }),
  );
}

/** The last override of approvals or a freeze. */
export class EmergencyDto {
  @ApiTime()
  at!: string;

  /** The user who overrode them; `null`: the user was deleted. */
  @ApiId()
  userId!: string | null;

  /**
   * Reason for the override.
   * @example 'The released bundle crashes at start.'
   */
  reason!: string;
}

/** The override that a deployment remembers. @returns `null`: none */
export function toEmergencyDto({
  emergencyAt,
  emergencyByUserId,
  emergencyReason,
}: Deployment): EmergencyDto | null {
  if (emergencyAt === null || emergencyReason === null) return null;
  return { at: emergencyAt.toISOString(), userId: emergencyByUserId, reason: emergencyReason };
}
