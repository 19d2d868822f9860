import { ApiProperty, PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsObject, ValidateNested } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsTextThat } from '../../common/validation/satisfies.decorator.js';
import { IsEnvironmentKey, IsEnvironmentValue, MAX_VALUES } from './environment-value.decorators.js';
import { MAX_KEY_LENGTH } from './environment-key.js';

/** A new variable or secret. */
export class EnvironmentValueDto {
  /**
   * Unique in the environment, in this case of letters. `CI`, `CI_*`, `PATH`, `HOME`, `LD_*` and `DYLD_*` are reserved.
   * @example 'API_URL'
   */
  @IsEnvironmentKey()
  key!: string;

  /**
   * Any text of at most 32 KiB in UTF-8, without NUL characters.
   * @example 'https://api.example.com'
   */
  @IsEnvironmentValue()
  value!: string;
}

/** Changes to a variable or secret; absent fields stay as they are. */
@ApiExample({ value: 'https://api.example.com' })
export class UpdateEnvironmentValueDto extends PartialType(EnvironmentValueDto, {
  skipNullProperties: false,
}) {}

/** The list of `set`, as `ListBodyPipe` validates it. */
export class SetEnvironmentValuesDto {
  @ApiProperty({ type: [EnvironmentValueDto] })
  @ValidateNested({ each: true, message: 'The body must hold objects with key and value.' })
  @Type(() => EnvironmentValueDto)
  // Nested arrays would not be validated.
  @IsObject({ each: true, message: 'The body must hold objects with key and value.' })
  @ArrayMaxSize(MAX_VALUES, { message: `The body must hold at most ${MAX_VALUES} entries.` })
  @IsArray()
  items!: EnvironmentValueDto[];
}

/** The list of `unset`, as `ListBodyPipe` validates it. A key that cannot exist is as unknown as any other. */
export class UnsetEnvironmentValuesDto {
  @IsTextThat((text) => text.length <= MAX_KEY_LENGTH, 'The body must hold keys.', { each: true })
  @ArrayMaxSize(MAX_VALUES, { message: `The body must hold at most ${MAX_VALUES} keys.` })
  @IsArray()
  items!: string[];
}
