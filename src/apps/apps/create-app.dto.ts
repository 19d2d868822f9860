import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsLabels } from '../../common/validation/is-list-of-words.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsAbsentOr, IsEmptyOr, IsNullable } from '../../common/validation/optional.decorators.js';
import { type AppType, appTypes, MAX_RUNNER_LABELS } from './app.entity.js';
import { IsPublicKeys } from './public-keys.decorator.js';

/** The owner of a new app. */
export class CreateAppQuery {
  /** The organization that will own the app; optional for members of exactly one. */
  @IsEmptyOr()
  @IsId()
  organizationId?: string;
}

/** A new app. */
export class CreateAppDto {
  /** @example 'Shop' */
  @IsName()
  name!: string;

  /** The framework of the app. */
  @ApiProperty({ enum: appTypes, enumName: 'AppType', default: 'capacitor' })
  @IsAbsentOr()
  @IsIn(appTypes, { message: `$property must be one of ${appTypes.join(', ')}.` })
  type?: AppType;

  /**
   * RSA public keys (PEM, 2,048 to 8,192 bits) that verify the signatures of bundles; one match is enough. Empty:
   * signatures
   * are not verified.
   */
  @IsAbsentOr()
  @IsPublicKeys()
  publicKeys?: string[];

  /** Builds are only for runners that have all of these labels; empty: for every runner. */
  @IsAbsentOr()
  @IsLabels(MAX_RUNNER_LABELS)
  runnerLabels?: string[];

  /** The organization that will own the app. The query parameter wins. */
  @IsNullable()
  @IsId()
  organizationId?: string;
}
