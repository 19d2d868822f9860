import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, Matches } from 'class-validator';
import { IsListOfWords } from '../../common/validation/is-list-of-words.decorator.js';
import { uuidPattern } from '../../common/validation/uuid.js';
import { WithoutDoubles } from '../../common/validation/without-doubles.decorator.js';
import { jobPlatforms } from '../jobs/job.entity.js';
import { MAX_RUNNER_APPS } from './runner.entity.js';

/** Build stacks, such as `macos-tahoe`. Doubles are dropped. */
export function IsStacks(): PropertyDecorator {
  return IsListOfWords(16, 'stacks', ['macos-tahoe']);
}

/** Platforms that a runner builds for, at least one. Doubles are dropped. */
export function IsPlatforms(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      enum: jobPlatforms,
      enumName: 'JobPlatform',
      isArray: true,
      minItems: 1,
      example: ['web'],
    }),
    WithoutDoubles(),
    IsArray({ message: '$property must be a list of platforms.' }),
    ArrayMinSize(1, { message: '$property must not be empty.' }),
    ArrayMaxSize(jobPlatforms.length, {
      message: `$property must hold at most ${jobPlatforms.length} platforms.`,
    }),
    IsIn(jobPlatforms, { each: true, message: `$property must be of ${jobPlatforms.join(', ')}.` }),
  );
}

/** Ids of apps that a runner is limited to. They become lower case, doubles are dropped. */
export function IsRunnerApps(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: [String], format: 'uuid', minItems: 1, maxItems: MAX_RUNNER_APPS, nullable: true }),
    WithoutDoubles((value) => (typeof value === 'string' ? value.toLowerCase() : value)),
    IsArray({ message: '$property must be a list of UUIDs.' }),
    ArrayMinSize(1, { message: '$property must not be empty: null means all apps.' }),
    ArrayMaxSize(MAX_RUNNER_APPS, { message: `$property must hold at most ${MAX_RUNNER_APPS} ids.` }),
    Matches(uuidPattern, { each: true, message: '$property must be a list of UUIDs.' }),
  );
}
