import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, Equals, IsArray, IsIn, ValidateNested } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { EXAMPLE_ETAG, exampleId } from '../../common/openapi/example-values.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { IsWholeNumber } from '../../common/validation/is-whole-number.decorator.js';
import { IsAbsentOr } from '../../common/validation/optional.decorators.js';

/** Largest number of a part; 10 MiB each make more than the largest file. */
const MAX_PART_NUMBER = 10_000;

/** Step of an upload in parts: `mpu-create` first, `mpu-complete` last. */
export class PostUploadQuery {
  @ApiProperty({ enum: ['mpu-create', 'mpu-complete'] })
  @IsIn(['mpu-create', 'mpu-complete'], { message: '$property must be mpu-create or mpu-complete.' })
  action!: 'mpu-create' | 'mpu-complete';

  /** For `mpu-complete`: the id that `mpu-create` returned. */
  @IsAbsentOr()
  @IsId()
  uploadId?: string;
}

/** The upload that a part belongs to. */
export class PutUploadQuery {
  @ApiProperty({ enum: ['mpu-uploadpart'] })
  @IsIn(['mpu-uploadpart'], { message: '$property must be mpu-uploadpart.' })
  action!: 'mpu-uploadpart';

  /** The id that `mpu-create` returned. */
  @IsId()
  uploadId!: string;
}

/** One part of a file. */
export class UploadPartDto {
  /** The bytes: 10 MiB, except of the last part. */
  @ApiProperty({ type: 'string', format: 'binary', required: true })
  @IsAbsentOr()
  @Equals(undefined, { message: '$property must be sent as a file, with a file name.' })
  blob?: unknown;

  /**
   * Place of the part among the others, from 1.
   * @example 1
   */
  @Transform(({ value }: { value: unknown }) => toInteger(value))
  @IsWholeNumber(1, MAX_PART_NUMBER)
  partNumber!: number;
}

/** A stored part. */
@ApiExample({ etag: EXAMPLE_ETAG })
export class UploadedPartDto {
  /** Identifies the stored bytes. Send it with `mpu-complete`. */
  @IsText(100)
  etag!: string;

  /** Place of the part among the others, from 1. */
  @IsWholeNumber(1, MAX_PART_NUMBER)
  partNumber!: number;
}

/** The parts of the file. Only `mpu-complete` has a body. */
@ApiExample({ parts: [{ partNumber: 1, etag: EXAMPLE_ETAG }] })
export class CompleteUploadDto {
  /** All parts, each of them once, in any order. */
  @ApiPropertyOptional({ type: [UploadedPartDto] })
  @IsAbsentOr()
  @ValidateNested({ each: true, message: '$property must hold objects with etag and partNumber.' })
  @Type(() => UploadedPartDto)
  @ArrayMaxSize(MAX_PART_NUMBER, { message: `$property must name at most ${MAX_PART_NUMBER} parts.` })
  @ArrayMinSize(1, { message: '$property must name at least one part.' })
  @IsArray({ message: '$property must be a list.' })
  parts?: UploadedPartDto[];
}

/** For `mpu-create`, the id of the upload; absent for `mpu-complete`. */
@ApiExample({ uploadId: exampleId('Upload') })
export class UploadStepDto {
  @ApiPropertyOptional({ format: 'uuid' })
  uploadId?: string;
}

/** Fields of a multipart request are texts. */
export function toInteger(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
}
