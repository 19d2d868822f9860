import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, MinDate } from 'class-validator';
import { databaseNow } from '../../common/database-clock.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsDateInput } from '../../common/validation/date-input.decorator.js';
import { IsLabels } from '../../common/validation/is-list-of-words.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsAbsentOr, IsNullable } from '../../common/validation/optional.decorators.js';
import { RefuseUnknownFields } from '../../common/validation/unknown-fields/refuse-unknown-fields.decorator.js';
import type { JobPlatform } from '../jobs/job.entity.js';
import { IsPlatforms, IsRunnerApps } from './ability.decorators.js';
import { IssuedRunnerDto } from './runner.dto.js';
import { MAX_LABELS } from './runner.entity.js';

/** A new runner. Unknown fields are a 400. */
@RefuseUnknownFields(IssuedRunnerDto)
@ApiExample({ labels: ['large'] })
export class CreateRunnerDto {
  /**
   * For people.
   * @example 'Mac in the office'
   */
  @IsName()
  name!: string;

  /** Labels besides those that the runner reports. A job gets only a runner that has all of the job's. */
  @IsAbsentOr()
  @IsLabels(MAX_LABELS)
  labels?: string[];

  /** The only platforms that it gets jobs of; `null`: all that it reports. */
  @IsNullable()
  @IsPlatforms()
  @ApiProperty({ nullable: true })
  platforms?: JobPlatform[] | null;

  /** The only apps that it gets jobs of; `null`: all of the organization. */
  @IsNullable()
  @IsRunnerApps()
  appIds?: string[] | null;

  /** When the token expires, in the future; `null`: never. Also accepts Unix milliseconds. */
  @IsNullable()
  @MinDate(() => databaseNow(), { message: '$property must be in the future.' })
  @IsDateInput()
  expiresAt?: Date | null;

  /** `true`: the runner finishes its jobs and gets no others. */
  @IsAbsentOr()
  @IsBoolean({ message: '$property must be true or false.' })
  paused?: boolean;
}
