import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { EXAMPLE_TIME } from '../../common/openapi/example-values.js';
import type { TokenPermissions } from '../../common/access/permissions.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { permissionsSchema } from '../../accounts/tokens/scope.decorators.js';
import type { Token } from '../../accounts/tokens/token.entity.js';

/** An API token that can see the organization. Its event has neither its secret nor what it sees elsewhere. */
export class TokenEventDto {
  @ApiId()
  tokenId!: string;

  /**
   * What the token is for.
   * @example 'Release pipeline of the shop'
   */
  name!: string;

  /** Id of the user whom it acts as. */
  @ApiId()
  userId!: string;

  /** What it allows of what its user may do: `all`, `read-only` (all that ends in `:read`) or just these. */
  @ApiProperty(permissionsSchema)
  permissions!: TokenPermissions;

  /** Expiry; `null`: never. */
  @ApiTime()
  expiresAt!: string | null;
}

/** How near the expiry is: within 7 days, or a day. */
const tokenExpiryNearness = ['7d', '1d'] as const;

/** An API token that expires soon. */
@ApiExample({ expiresAt: EXAMPLE_TIME })
export class TokenExpiringEventDto extends TokenEventDto {
  /** The threshold that is crossed: days before the expiry, such as `7d`. */
  @ApiProperty({ enum: tokenExpiryNearness, enumName: 'TokenExpiryNearness' })
  threshold!: (typeof tokenExpiryNearness)[number];
}

export function toTokenEventDto({
  id,
  name,
  userId,
  permissions,
  expiresAt,
}: Pick<Token, 'id' | 'name' | 'userId' | 'permissions' | 'expiresAt'>): TokenEventDto {
  return { tokenId: id, name, userId, permissions, expiresAt: expiresAt?.toISOString() ?? null };
}
