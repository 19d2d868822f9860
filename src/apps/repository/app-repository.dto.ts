import { ApiProperty } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { IsString, Matches, ArrayMaxSize, IsArray } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { type GitProvider, gitProviders } from '../../organizations/git-connections/git-connection.entity.js';
import { exampleId } from '../../common/openapi/example-values.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsWholeNumber } from '../../common/validation/is-whole-number.decorator.js';
import { IsAbsentOr } from '../../common/validation/optional.decorators.js';
import { IsTextThat } from '../../common/validation/satisfies.decorator.js';
import { parseRepositoryPath } from '../../organizations/git-remotes/repository-path.js';
import type { AppRepository } from './app-repository.entity.js';

const MAX_REPOSITORIES = 100;
/** In characters. */
const MAX_PATH_LENGTH = 255;
/** In commits. */
const MAX_GIT_DEPTH = 1_000_000;

/** Paths of repositories as in their addresses, at most 100. */
function IsSubmoduleRepositories(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: MAX_PATH_LENGTH },
      maxItems: MAX_REPOSITORIES,
      example: ['acme/shared-ui'],
    }),
    IsTextThat(
      // Its own form only: the runner compares it with addresses.
      (text) => text.length <= MAX_PATH_LENGTH && parseRepositoryPath(text, true) === text,
      `$property must hold paths of repositories such as acme/shared-ui: 1 to ${MAX_PATH_LENGTH} characters, without the host.`,
      { each: true },
    ),
    ArrayMaxSize(MAX_REPOSITORIES, { message: `$property must hold at most ${MAX_REPOSITORIES} paths.` }),
    IsArray({ message: '$property must be a list.' }),
  );
}

/** The git repository that an app is built from. */
@ApiExample({ provider: 'github' })
export class AppRepositoryDto {
  @ApiId()
  id!: string;

  @ApiId()
  appId!: string;

  /** What Slipway reads it with; `null`: no connection, so it must be public. */
  @ApiId()
  gitConnectionId!: string | null;

  /** @example 'shop' */
  name!: string;

  /** @example 'acme/shop' */
  path!: string;

  @ApiProperty({ enum: gitProviders, enumName: 'GitProvider' })
  provider!: GitProvider;

  /** Address of the server; `null`: the cloud of the provider. */
  providerBaseUrl!: string | null;

  /**
   * As the server identifies it.
   * @example '1296269'
   */
  providerRepositoryId!: string;

  /** @example 'https://github.com/acme/shop' */
  webUrl!: string;

  /**
   * The repositories besides `path` that builds fetch with the credential of the git connection, if they are submodules:
   * paths as in their addresses, without the host.
   * @example ['acme/shared-ui']
   */
  submoduleRepositories!: string[];

  /** How many commits of the history builds fetch; 0: all, with all tags. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: MAX_GIT_DEPTH, example: 1 })
  gitDepth!: number;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** The response for a linked repository. */
export function toAppRepositoryDto(repository: AppRepository): AppRepositoryDto {
  return {
    id: repository.id,
    appId: repository.appId,
    gitConnectionId: repository.gitConnectionId,
    name: repository.name,
    path: repository.path,
    provider: repository.provider,
    providerBaseUrl: repository.providerBaseUrl,
    providerRepositoryId: repository.providerRepositoryId,
    webUrl: repository.webUrl,
    submoduleRepositories: repository.submoduleRepositories,
    gitDepth: repository.gitDepth,
    createdAt: repository.createdAt.toISOString(),
    updatedAt: repository.updatedAt.toISOString(),
  };
}

/** The clouds that the command-line tool knows, as it spells them. */
const linkProviders = ['github', 'gitlab', 'bitbucket', 'azure'] as const;
type LinkProvider = (typeof linkProviders)[number];

/** A part of the path of a repository; the rules for whole paths follow. */
function IsPathPart(): PropertyDecorator {
  return applyDecorators(
    IsAbsentOr(),
    Matches(/^\P{Cc}{1,500}$/u, { message: '$property must be 1 to 500 characters long.' }),
    IsString({ message: '$property must be a string.' }),
  );
}

/**
 * The repository to link: `gitConnectionId` and `path`, or `provider`, `ownerSlug` and `repositorySlug` (and `projectSlug`
 * between these two).
 */
@ApiExample({ gitConnectionId: exampleId('GitConnection'), path: 'acme/shop' })
export class LinkRepositoryDto {
  /** The connection to read the repository with. */
  @IsAbsentOr()
  @IsId()
  gitConnectionId?: string;

  /**
   * Path of the repository at its server.
   * @example 'acme/shop'
   */
  @IsPathPart()
  path?: string;

  /** Whose cloud the repository is in. */
  @IsAbsentOr()
  @IsOneOf(linkProviders, 'LinkProvider')
  provider?: LinkProvider;

  /** The owner, group, workspace or organization. */
  @IsPathPart()
  ownerSlug?: string;

  /** The project of `azure`, or the subgroups of `gitlab`, separated by slashes. */
  @IsPathPart()
  projectSlug?: string;

  /** The name of the repository in its address. */
  @IsPathPart()
  repositorySlug?: string;

  /**
   * The repositories of the same host that submodules get the credential of the git connection for: paths as in their
   * addresses. Absent: as before if the app stays linked to this repository through the same connection, else none.
   */
  @IsAbsentOr()
  @IsSubmoduleRepositories()
  submoduleRepositories?: string[];

  /**
   * How many commits of the history builds fetch; 0: all, with all tags. Absent: as before if the app stays linked to this
   * repository through the same connection, else 1.
   * @example 0
   */
  @IsAbsentOr()
  @IsWholeNumber(0, MAX_GIT_DEPTH)
  gitDepth?: number;
}

/** Changes to the link of an app; absent fields stay unchanged. */
@ApiExample({ submoduleRepositories: ['acme/shared-ui'] })
export class UpdateRepositoryDto {
  /**
   * The repositories of the same host that submodules get the credential of the git connection for: paths as in their
   * addresses, such as `acme/shared-ui` for `https://github.com/acme/shared-ui.git`. Case and a final `.git` make a
   * difference with `git_http` only.
   */
  @IsAbsentOr()
  @IsSubmoduleRepositories()
  submoduleRepositories?: string[];

  /**
   * How many commits of the history builds fetch; 0: all, with all tags.
   * @example 0
   */
  @IsAbsentOr()
  @IsWholeNumber(0, MAX_GIT_DEPTH)
  gitDepth?: number;
}
