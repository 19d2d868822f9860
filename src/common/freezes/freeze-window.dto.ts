import { ApiProperty } from '@nestjs/swagger';
import { ApiTime } from '../openapi/api-fields.decorators.js';
import { IsDateInput } from '../validation/date-input.decorator.js';
import { IsNullable } from '../validation/optional.decorators.js';
import { invalidField } from '../errors/app-error.js';
import { IsText } from '../validation/is-text.decorator.js';
import type { FreezeWindow } from './freeze-window.js';

/** Windows of one channel or destination. */
export const MAX_FREEZE_WINDOWS = 100;

/** A freeze window: a time in which no deployment starts or grows. */
export class FreezeWindowInputDto {
  /** Start, inclusive. Also accepts Unix milliseconds. */
  @IsDateInput()
  from!: Date;

  /** End, exclusive; after `from`. */
  @IsDateInput()
  to!: Date;

  /**
   * Reason, for people; at most 500 characters.
   * @example 'Holidays'
   */
  @IsNullable()
  @IsText(500)
  reason?: string | null;
}

/** A freeze window: a time in which no deployment starts or grows. */
export class FreezeWindowDto {
  @ApiTime()
  from!: string;

  /** End of the window, exclusive. */
  @ApiTime()
  to!: string;

  /** Reason, for people; `null`: none. */
  @ApiProperty({ type: 'string', nullable: true })
  reason!: string | null;
}

/** @throws InvalidRequestError for a window that ends before it begins */
export function toFreezeWindows(inputs: readonly FreezeWindowInputDto[]): FreezeWindow[] {
  return inputs.map(({ from, to, reason }, index) => {
    if (to <= from) throw invalidField(`freezeWindows.${index}.to`, 'to must be after from.');
    return { from: from.toISOString(), to: to.toISOString(), reason: reason ?? null };
  });
}
