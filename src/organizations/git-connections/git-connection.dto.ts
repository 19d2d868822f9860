import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import {
  type GitAuthKind,
  gitAuthKinds,
  type GitConnection,
  type GitProvider,
  gitProviders,
} from './git-connection.entity.js';

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
