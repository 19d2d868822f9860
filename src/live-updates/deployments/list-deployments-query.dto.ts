import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import { Relations } from '../../common/validation/relations.decorator.js';

/** What to include with a deployment. */
export class GetDeploymentQuery {
  @Relations('appBuild', 'job', 'job.jobLogs')
  relations?: string[];
}

/** Which deployments to list. */
export class ListDeploymentsQuery extends PageQuery {
  /** Only deployments of this build. */
  @IsEmptyOr()
  @IsId()
  appBuildId?: string;

  /** Only deployments to this channel. */
  @IsEmptyOr()
  @IsId()
  appChannelId?: string;

  /** Only deployments to this store destination. */
  @IsEmptyOr()
  @IsId()
  appDestinationId?: string;

  /** Only deployments of builds of this branch, tag or commit. */
  @QueryText()
  appGitCommit?: string;

  /** Only deployments whose id contains this text. */
  @QueryText()
  query?: string;

  @Relations('appBuild', 'job', 'job.jobLogs')
  relations?: string[];
}
