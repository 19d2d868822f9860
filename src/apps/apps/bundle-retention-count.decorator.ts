import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsWholeNumber } from '../../common/validation/is-whole-number.decorator.js';
import { MAX_BUNDLE_RETENTION_COUNT } from './app.entity.js';

/** How many of the newest bundles of a channel are kept, 1 to 1,000. */
export function IsBundleRetentionCount(): PropertyDecorator {
  return applyDecorators(ApiProperty({ nullable: true }), IsWholeNumber(1, MAX_BUNDLE_RETENTION_COUNT));
}
