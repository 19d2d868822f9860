import { MinDate } from 'class-validator';
import { databaseNow } from '../../common/database-clock.js';
import type { TokenPermissions } from '../../common/access/permissions.js';
import { IsDateInput } from '../../common/validation/date-input.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsAbsentOr, IsNullable } from '../../common/validation/optional.decorators.js';
import { RefuseUnknownFields } from '../../common/validation/unknown-fields/refuse-unknown-fields.decorator.js';
import { IsLimitIds, IsTokenPermissions } from './scope.decorators.js';
import { IssuedTokenDto } from './token.dto.js';

/** A new API token. Limits that are left out are those of the token that creates it. Unknown fields are a 400. */
@RefuseUnknownFields(IssuedTokenDto)
export class CreateTokenDto {
  /**
   * What the token is for.
   * @example 'Release pipeline of the shop'
   */
  @IsName()
  name!: string;

  /** Expiry, in the future; `null`: never. Also accepts Unix milliseconds. */
  @IsNullable()
  @MinDate(() => databaseNow(), { message: '$property must be in the future.' })
  @IsDateInput()
  expiresAt?: Date | null;

  /**
   * What the token allows of what its user may do: `all`, also what its user may do in future; `read-only`, every
   * permission that ends in `:read`; or just these. `account:read` is needed to ask whose token it is and for lists
   * across organizations, `account:write` to create apps and organizations and to manage tokens.
   */
  @IsAbsentOr()
  @IsTokenPermissions()
  permissions?: TokenPermissions;

  /** The only organizations that the token can see; `null`: all of the user's. */
  @IsNullable()
  @IsLimitIds()
  organizationIds?: string[] | null;

  /**
   * The only apps that the token can see; `null`: all of the user's, within `organizationIds`. A token that is limited
   * to apps can do nothing with their organization but list them.
   */
  @IsNullable()
  @IsLimitIds()
  appIds?: string[] | null;
}
