import { ApiProperty, OmitType, PartialType, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsAbsentOr, IsNullable, IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import {
  type GitAuthKind,
  gitAuthKinds,
  type GitConnection,
  type GitProvider,
  gitProviders,
} from './git-connection.entity.js';
import {
  IsGitAuthKind,
  IsGitBaseUrl,
  IsGitPassword,
  IsGitToken,
  IsGitUsername,
} from './git-credential.decorators.js';

/** A git server and how Slipway signs in to it. The credentials are never returned. */
@ApiExample({ provider: 'github', authKind: 'token' })
export class GitConnectionDto {
  @ApiId()
  id!: string;

  @ApiId()
  organizationId!: string;

  /** The only app that can use it; `null`: every app of the organization. */
  @ApiId()
  appId!: string | null;

  /** @example 'GitHub of the mobile team' */
  name!: string;

  @ApiProperty({ enum: gitProviders, enumName: 'GitProvider' })
  provider!: GitProvider;

  @ApiProperty({ enum: gitAuthKinds, enumName: 'GitAuthKind' })
  authKind!: GitAuthKind;

  /** The user name, with `basic`. */
  authUsername!: string | null;

  /** Address of the server; `null`: the cloud of the provider. */
  baseUrl!: string | null;

  /** Whether only its creator can use it. */
  restricted!: boolean;

  /** The user who created it; `null`: deleted. */
  @ApiId()
  createdBy!: string | null;

  /** Since when the server refuses the credentials; `null`: it does not, as far as Slipway knows. */
  @ApiTime()
  brokenAt!: string | null;

  /** When it was last used, to a few minutes. */
  @ApiTime()
  lastUsedAt!: string | null;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** The response for a git connection. */
export function toGitConnectionDto(connection: GitConnection): GitConnectionDto {
  return {
    id: connection.id,
    organizationId: connection.organizationId,
    appId: connection.appId,
    name: connection.name,
    provider: connection.provider,
    authKind: connection.authKind,
    authUsername: connection.authUsername,
    baseUrl: connection.baseUrl,
    restricted: connection.restricted,
    createdBy: connection.createdBy,
    brokenAt: connection.brokenAt?.toISOString() ?? null,
    lastUsedAt: connection.lastUsedAt?.toISOString() ?? null,
    createdAt: connection.createdAt.toISOString(),
    updatedAt: connection.updatedAt.toISOString(),
  };
}

/** A new git connection. */
@ApiExample({ provider: 'github', authKind: 'token', token: 'github_pat_11ABCDEFG0123456789' })
export class CreateGitConnectionDto {
  /** `git_http` is any server that speaks git's HTTP protocol. */
  @IsOneOf(gitProviders, 'GitProvider')
  provider!: GitProvider;

  /** `token`: an access token; `basic`: a user name and a password. */
  @IsGitAuthKind()
  authKind!: GitAuthKind;

  /** Unique in the organization, ignoring case. Generated if omitted. */
  @IsAbsentOr()
  @IsName()
  name?: string;

  /**
   * Address of a self-hosted server, such as `https://git.example.com`; `null`: the cloud of the provider. Required for
   * `git_http`. If the server is not public, an operator must [allow it](security.md#outbound-calls).
   */
  @IsNullable()
  @IsGitBaseUrl()
  baseUrl?: string | null;

  /** Required for `token`. Never returned. */
  @IsAbsentOr()
  @IsGitToken()
  token?: string;

  /** Required for `basic`, except with `git_http`. */
  @IsAbsentOr()
  @IsGitUsername()
  username?: string;

  /** Required for `basic`, except with `git_http`. Never returned. */
  @IsAbsentOr()
  @IsGitPassword()
  password?: string;

  /** Whether only you can use it. Default: false. */
  @IsAbsentOr()
  @IsBoolean({ message: '$property must be true or false.' })
  restricted?: boolean;

  /** The only app that can use it; `null`: every app of the organization. */
  @IsNullable()
  @IsId()
  appId?: string | null;
}

/**
 * Changes to a git connection; absent fields stay as they are. A new `authKind` or `baseUrl` requires the matching
 * credential in the same request.
 */
@ApiExample({ name: 'GitHub of the shop' })
export class UpdateGitConnectionDto extends PartialType(
  OmitType(CreateGitConnectionDto, ['provider', 'appId'] as const),
  { skipNullProperties: false },
) {}

/** Which git connections to list. */
export class ListGitConnectionsQuery extends PageQuery {
  /** Only the connection with exactly this name, ignoring case. */
  @QueryText()
  name?: string;

  /** Only connections to this kind of server. */
  @IsEmptyOr()
  @IsOneOf(gitProviders, 'GitProvider')
  provider?: GitProvider;

  /** Only connections whose name contains this text, ignoring case. */
  @QueryText()
  query?: string;

  /** Only connections that only their creator can use (`true`), or all others (`false`). */
  @IsEmptyOr()
  @IsOneOf(['true', 'false'], 'GitConnectionRestricted')
  restricted?: 'true' | 'false';

  /** Only connections of this app. */
  @IsEmptyOr()
  @IsId()
  appId?: string;

  /** `organization`: only connections for every app; `appId` is ignored then. */
  @IsEmptyOr()
  @IsOneOf(['organization'], 'GitConnectionScope')
  scope?: 'organization';
}

/** Which repositories to list. */
export class ListGitRepositoriesQuery {
  /** Only repositories of this owner, group or workspace. Required for `azure_devops`, as `organization/project`. */
  @QueryText()
  namespace?: string;

  /** Only the repository with exactly this path, such as `acme/shop`. */
  @QueryText()
  path?: string;

  /** Only repositories whose path contains this text, ignoring case. */
  @QueryText()
  query?: string;
}

/** Which namespaces to list. */
export class ListGitNamespacesQuery {
  /** With `azure_devops`: list the projects of this organization. If omitted: list the organizations. */
  @QueryText()
  organization?: string;
}

/** Which connections fit a git remote. */
export class ResolveGitConnectionsQuery {
  /**
   * What `git remote get-url origin` prints.
   * @example 'https://github.com/acme/shop.git'
   */
  @IsText(1000, 1)
  remoteUrl!: string;

  /** Also find the connections of this app. */
  @ApiPropertyOptional()
  @IsEmptyOr()
  @IsId()
  appId?: string;
}
