import { ApiProperty } from '@nestjs/swagger';
import { buildWarningCodes, type BuildWarningCode } from './build-warnings.js';

/** A warning about a build that was started nevertheless. */
export class BuildWarningDto {
  @ApiProperty({ enum: buildWarningCodes, enumName: 'BuildWarningCode' })
  code!: BuildWarningCode;

  /**
   * One sentence or two.
   * @example 'The certificate Upload expires on 2026-12-10. The build is signed with it all the same, but stores can refuse it.'
   */
  message!: string;
}
