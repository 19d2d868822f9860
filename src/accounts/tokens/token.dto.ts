import { ApiProperty, PartialType } from '@nestjs/swagger';
import { MinDate } from 'class-validator';
import { databaseNow } from '../../common/database-clock.js';
import type { TokenPermissions } from '../../common/access/permissions.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { EXAMPLE_TIME } from '../../common/openapi/example-values.js';
import { IsDateInput } from '../../common/validation/date-input.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsAbsentOr, IsNullable } from '../../common/validation/optional.decorators.js';
import { RefuseUnknownFields } from '../../common/validation/refuse-unknown-fields.decorator.js';
import { IsWholeNumber } from '../../common/validation/is-whole-number.decorator.js';
import { permissionsSchema, IsLimitIds, IsTokenPermissions } from './scope.decorators.js';
import type { Token } from './token.entity.js';

/** An API token: a credential that acts as its user, within limits. The secret itself is shown only once. */
@ApiExample({ lastUsedAt: EXAMPLE_TIME })
export class TokenDto {
  @ApiId()
  id!: string;

  /**
   * What the token is for.
   * @example 'Release pipeline of the shop'
   */
  name!: string;

  /**
   * The last four characters of the secret, to recognize it by; `null`: not known.
   * @example '5f0c'
   */
  @ApiProperty({ type: 'string', nullable: true })
  lastFour!: string | null;

  /** Expiry; `null`: never. */
  @ApiTime()
  expiresAt!: string | null;

  /** Until when the secret before the last rotation stays valid; `null`: it is not valid. */
  @ApiTime()
  previousExpiresAt!: string | null;

  /** What the token allows of what its user may do: `all`, `read-only` (all that ends in `:read`) or just these. */
  @ApiProperty(permissionsSchema)
  permissions!: TokenPermissions;

  /** The only organizations that the token can see; `null`: all of the user's. */
  @ApiProperty({ type: [String], format: 'uuid', nullable: true })
  organizationIds!: string[] | null;

  /** The only apps that the token can see; `null`: all of the user's, within `organizationIds`. */
  @ApiProperty({ type: [String], format: 'uuid', nullable: true })
  appIds!: string[] | null;

  /** When the token was last used; exact to five minutes. `null`: never. */
  @ApiTime()
  lastUsedAt!: string | null;

  /**
   * The IPv4 or IPv6 address that it was used from then.
   * @example '192.0.2.7'
   */
  @ApiProperty({ type: 'string', nullable: true })
  lastUsedAddress!: string | null;

  /**
   * The `User-Agent` of that request, at most 255 characters.
   * @example 'Capawesome CLI v4.18.4'
   */
  @ApiProperty({ type: 'string', nullable: true })
  lastUsedClient!: string | null;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** An API token together with its secret, which is never shown again. */
export class IssuedTokenDto extends TokenDto {
  /**
   * The secret, to be sent as `Authorization: Bearer …`.
   * @example 'ca_0000000000000000000000000000000000000000fd9e6e2e'
   */
  token!: string;
}

/** A token, and its secret while that is known. */
export interface IssuedToken {
  readonly token: Token;
  readonly secret: string;
}

/** The response for a token. */
export function toTokenDto(token: Token): TokenDto {
  const { previousExpiresAt } = token;
  return {
    id: token.id,
    name: token.name,
    lastFour: token.lastFour,
    expiresAt: token.expiresAt?.toISOString() ?? null,
    previousExpiresAt:
      previousExpiresAt !== null && previousExpiresAt > databaseNow()
        ? previousExpiresAt.toISOString()
        : null,
    permissions: token.permissions,
    organizationIds: token.organizationIds && [...token.organizationIds],
    appIds: token.appIds && [...token.appIds],
    lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
    lastUsedAddress: token.lastUsedAddress,
    lastUsedClient: token.lastUsedClient,
    createdAt: token.createdAt.toISOString(),
    updatedAt: token.updatedAt.toISOString(),
  };
}

/** The response for a token that was just issued. */
export function toIssuedTokenDto({ token, secret }: IssuedToken): IssuedTokenDto {
  return { ...toTokenDto(token), token: secret };
}

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

/** Longest overlap of a rotation, in seconds: a week. */
const MAX_OVERLAP_SECONDS = 604_800;

/** How to rotate an API token. Unknown fields are a 400. */
@RefuseUnknownFields(IssuedTokenDto, 'tokenId')
@ApiExample({ overlapSeconds: 3600 })
export class RotateTokenDto {
  /** How long the old secret stays valid, in seconds (at most a week), so that every client can switch. */
  @ApiProperty({ default: 0 })
  @IsAbsentOr()
  @IsWholeNumber(0, MAX_OVERLAP_SECONDS)
  overlapSeconds?: number;
}

/** Changes to an API token; absent fields stay as they are, `null` clears. Unknown fields are a 400. */
@RefuseUnknownFields(IssuedTokenDto, 'tokenId')
@ApiExample({ name: 'Release pipeline of the shop' })
export class UpdateTokenDto extends PartialType(CreateTokenDto, { skipNullProperties: false }) {}
