import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional, IsString } from 'class-validator';

/**
 * Related objects to include, as a comma-separated list with dots for nesting (`job,job.jobLogs`). Unknown names are
 * ignored. Becomes a list.
 *
 * @param known the relations that the endpoint has, for its documentation
 */
export function Relations(...known: string[]): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: 'string',
      description: `Related objects to include, separated by commas: ${known.map((name) => `\`${name}\``).join(', ')}.`,
      example: known[0],
    }),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.split(',') : value)),
    IsOptional(),
    IsString({ each: true, message: 'relations must be a comma-separated list.' }),
  );
}
