import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { type GitNamespace, gitNamespaceKinds, type GitRepository } from '../git-providers/git-provider.js';
import { type GitProvider, gitProviders } from './git-connection.entity.js';
import { GitConnectionDto } from './git-connection.dto.js';

/** A repository at a git server. */
export class GitRepositoryDto {
  /**
   * As the server identifies it.
   * @example '1296269'
   */
  id!: string;

  /** @example 'shop' */
  name!: string;

  /** @example 'acme' */
  namespace!: string;

  /** @example 'acme/shop' */
  path!: string;

  /** Whether reading it needs credentials. */
  private!: boolean;

  /** @example 'https://github.com/acme/shop' */
  webUrl!: string;

  /**
   * Absent: the repository is empty, or its server does not say it.
   * @example 'main'
   */
  defaultBranch?: string;
}

/** What owns repositories at a git server. */
@ApiExample({ kind: 'organization' })
export class GitNamespaceDto {
  /** @example '9919' */
  id!: string;

  /** @example 'Acme' */
  name!: string;

  /**
   * The `namespace` of its repositories.
   * @example 'acme'
   */
  slug!: string;

  @ApiProperty({ enum: gitNamespaceKinds, enumName: 'GitNamespaceKind' })
  kind!: GitNamespace['kind'];

  /** The group or organization that it belongs to; absent: none. */
  parent?: string;

  /** Address of its picture; absent: none. */
  avatarUrl?: string;
}

/** The connections that fit a git remote. */
@ApiExample({ path: 'acme/shop', provider: 'github' })
export class ResolvedGitConnectionsDto {
  /** Connections to the server of the remote that you can use; those of the app first. */
  gitConnections!: GitConnectionDto[];

  /** Path of the repository at its server. */
  path!: string;

  /** Kind of the server; `null`: unknown. */
  @ApiProperty({ type: 'string', enum: [...gitProviders, null], nullable: true })
  provider!: GitProvider | null;
}

/** The response for a repository. */
export function toGitRepositoryDto(repository: GitRepository): GitRepositoryDto {
  const { id, name, namespace, path, isPrivate, webUrl, defaultBranch } = repository;
  const repositoryDto = { id, name, namespace, path, private: isPrivate, webUrl };
  return defaultBranch === null ? repositoryDto : { ...repositoryDto, defaultBranch };
}

/** The response for a namespace. What it does not have is left out: the types of the official SDK know no `null` there. */
export function toGitNamespaceDto(namespace: GitNamespace): GitNamespaceDto {
  const { id, name, slug, kind, parent, avatarUrl } = namespace;
  return {
    id,
    name,
    slug,
    kind,
    ...(parent !== null && { parent }),
    ...(avatarUrl !== null && { avatarUrl }),
  };
}
