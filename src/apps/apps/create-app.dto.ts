import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsAbsentOr, IsEmptyOr, IsNullable } from '../../common/validation/optional.decorators.js';
import { type AppType, appTypes } from './app.entity.js';
import { IsPublicKeys } from './public-keys.decorator.js';

/** Where a new app goes. */
export class CreateAppQuery {
  /** The organization that will own the app; may be left out by members of just one. */
  @IsEmptyOr()
  @IsId()
  organizationId?: string;
}

/** A new app. */
export class CreateAppDto {
  /** @example 'Shop' */
  @IsName()
  name!: string;

  /** What the app is made with. */
  @ApiProperty({ enum: appTypes, enumName: 'AppType', default: 'capacitor' })
  @IsAbsentOr()
  @IsIn(appTypes, { message: `$property must be one of ${appTypes.join(', ')}.` })
  type?: AppType;

  /**
   * RSA public keys (PEM, 2,048 to 8,192 bits) that verify the signatures of bundles: any of them may. Empty: signatures
   * are not verified.
   */
  @IsAbsentOr()
  @IsPublicKeys()
  publicKeys?: string[];

  /** The organization that will own the app, unless the query says it. */
  @IsNullable()
  @IsId()
  organizationId?: string;
}
