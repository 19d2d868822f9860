import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { MAX_BUNDLE_RETENTION_COUNT } from './app.entity.js';

/** How many of the newest bundles of a channel are kept, 1 to 1,000. */
export function IsBundleRetentionCount(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: 'integer', nullable: true, minimum: 1, maximum: MAX_BUNDLE_RETENTION_COUNT }),
    Max(MAX_BUNDLE_RETENTION_COUNT, { message: `$property must be at most ${MAX_BUNDLE_RETENTION_COUNT}.` }),
    Min(1, { message: '$property must be at least 1.' }),
    IsInt({ message: '$property must be a whole number.' }),
  );
}
