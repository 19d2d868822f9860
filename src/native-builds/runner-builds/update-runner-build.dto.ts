import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsNullable } from '../../common/validation/optional.decorators.js';
import { IsBuildText } from '../builds/build-targeting.dto.js';

/** What a runner has found out about its build; absent fields stay unchanged. */
@ApiExample({ gitCommitMessage: 'Fix the checkout', packageVersion: '1.4.0' })
export class UpdateRunnerBuildDto {
  /** The commit that is built. For a build of a ref it must be the commit that the ref was resolved to. */
  @ApiPropertyOptional({ type: 'string', nullable: true, pattern: '^[0-9a-f]{40}([0-9a-f]{24})?$' })
  @IsNullable()
  @Matches(/^[0-9a-f]{40}([0-9a-f]{24})?$/, { message: '$property must be the hash of a commit.' })
  gitCommitSha?: string | null;

  /** Its message, at most 1,000 characters. */
  @IsBuildText()
  gitCommitMessage?: string | null;

  /** Application id or bundle id of the native app. */
  @IsBuildText()
  packageName?: string | null;

  /** Version of the native app. */
  @IsBuildText()
  packageVersion?: string | null;

  /** Name that people see, at most 1,000 characters. */
  @IsBuildText()
  displayName?: string | null;
}

/** The update was stored. */
export class RunnerBuildDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;
}
