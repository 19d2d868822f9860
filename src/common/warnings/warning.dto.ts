import { ApiProperty } from '@nestjs/swagger';
import { type Warning, type WarningCode, warningCodes } from './warning.js';

/** How devices were counted. */
class CountedDto {
  /** Devices that were read. */
  @ApiProperty({ type: 'integer' })
  devices!: number;

  /** Whether they are a sample, so that `count` is an estimate. */
  sampled!: boolean;
}

/** A request that avoids or undoes what a warning says. */
class WarningRemedyDto {
  /**
   * The operation in this document.
   * @example 'Rollbacks_offerAgain'
   */
  operationId!: string;

  /** Parameters of its path, query and body by name, as far as they are known. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  parameters!: Record<string, unknown>;

  /** What to do, as one sentence. */
  sentence!: string;
}

/** A remark about a request that succeeds all the same. */
export class WarningDto {
  /** What it is about. */
  @ApiProperty({ enum: warningCodes, enumName: 'WarningCode' })
  code!: WarningCode;

  /**
   * For people.
   * @example 'Everything is in the folder www. Devices find the index.html there, but publish the content of the folder instead.'
   */
  message!: string;

  /** Devices that it is about; absent: it is about no devices, or they were not counted. */
  @ApiProperty({ type: 'integer', required: false })
  count?: number;

  /** With `count`: how they were counted. */
  @ApiProperty({ type: CountedDto, required: false })
  counted?: CountedDto;

  /** A request that avoids or undoes it; absent: there is none. */
  @ApiProperty({ type: WarningRemedyDto, required: false })
  remedy?: WarningRemedyDto;
}

/** The responses for warnings. */
export function toWarningDtos(warnings: readonly Warning[]): WarningDto[] {
  return warnings.map(({ code, message, count, counted, remedy }) => ({
    code,
    message,
    ...(count === undefined ? {} : { count }),
    ...(counted === undefined ? {} : { counted: { ...counted } }),
    ...(remedy === undefined ? {} : { remedy: { ...remedy, parameters: { ...remedy.parameters } } }),
  }));
}
