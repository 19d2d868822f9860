import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { UserDto } from '../../accounts/users/user.dto.js';
import { type Role, roles, type RolePermission } from '../../common/access/permissions.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId } from '../../common/openapi/api-fields.decorators.js';

/** Why the caller cannot create an organization. */
export const creationBlocks = ['email_not_verified', 'organization_limit_reached', 'token_limited'] as const;
export type CreationBlock = (typeof creationBlocks)[number];

const permissionListSchema = { type: 'array', items: { $ref: getSchemaPath('Permission') } } as const;

/** An app that the caller can see. */
export class OwnAppDto {
  @ApiId()
  id!: string;

  /** @example 'Shop' */
  name!: string;
}

/** What the caller may do in an organization and in its apps. */
@ApiExample({
  name: 'Acme',
  role: 'member',
  blockedBy: null,
  suspended: false,
  permissions: ['organizations:read', 'apps:read', 'deployments:write'],
  appPermissions: ['apps:read', 'deployments:write'],
  totalApps: 1,
})
export class OwnOrganizationDto {
  @ApiId()
  id!: string;

  /** `null`: the token does not allow `organizations:read` here. */
  name!: string | null;

  @ApiProperty({ enum: roles, enumName: 'Role' })
  role!: Role;

  /** The error of every other request about the organization, until the caller has a second factor; `null`: it can be used. */
  @ApiProperty({ type: 'string', enum: ['two_factor_required', null], nullable: true })
  blockedBy!: 'two_factor_required' | null;

  /** Whether the operator has suspended the organization: only reading works then. */
  suspended!: boolean;

  /** What the caller may do in the organization itself, by role and token; create apps with `apps:write`. */
  @ApiProperty(permissionListSchema)
  permissions!: RolePermission[];

  /** What the caller may do in each of the apps. */
  @ApiProperty(permissionListSchema)
  appPermissions!: RolePermission[];

  /** Apps that the caller can see, by name, at most 100. `GET /v1/apps` lists the others. */
  apps!: OwnAppDto[];

  /** Number of apps that the caller can see. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  totalApps!: number;
}

/** Who the caller is, and what they may do where. */
@ApiExample({ totalOrganizations: 1, organizationCreationBlockedBy: null })
export class OwnAccessDto {
  user!: UserDto;

  /** The error of `POST /v1/organizations` now; `null`: the caller can create an organization. */
  @ApiProperty({ type: 'string', enum: [...creationBlocks, null], nullable: true })
  organizationCreationBlockedBy!: CreationBlock | null;

  /**
   * The caller's organizations, by name, at most 100, without those that do not allow the caller's address or country.
   * `GET /v1/organizations` lists the others.
   */
  organizations!: OwnOrganizationDto[];

  /** Number of these organizations. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  totalOrganizations!: number;
}
