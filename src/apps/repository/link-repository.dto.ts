import { applyDecorators } from '@nestjs/common';
import { IsString, Matches } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { exampleId } from '../../common/openapi/example-values.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsAbsentOr } from '../../common/validation/optional.decorators.js';
import { IsSubmoduleRepositories } from './submodule-repositories.decorator.js';

/** The clouds that the command-line tool knows, as it spells them. */
export const linkProviders = ['github', 'gitlab', 'bitbucket', 'azure'] as const;
export type LinkProvider = (typeof linkProviders)[number];

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
}
