import { ApiPropertyOptional } from '@nestjs/swagger';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import { type GitProvider, gitProviders } from './git-connection.entity.js';

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
