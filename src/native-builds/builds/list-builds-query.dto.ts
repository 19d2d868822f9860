import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import { Relations } from '../../common/validation/relations.decorator.js';
import { type BuildPlatform, buildPlatforms } from './build.entity.js';

/** What to include with a build. */
export class GetBuildQuery {
  @Relations('appBuildArtifacts', 'job', 'job.jobLogs')
  relations?: string[];
}

/** Which builds to list. */
export class ListBuildsQuery extends PageQuery {
  @IsEmptyOr()
  @IsOneOf(buildPlatforms, 'BuildPlatform')
  platform?: BuildPlatform;

  /**
   * Only the build with this number.
   * @example '42'
   */
  @QueryText()
  numberAsString?: string;

  /** Only builds that this automation started. */
  @QueryText()
  appAutomationId?: string;

  /** Only builds of this branch, tag or commit. */
  @QueryText()
  appGitCommit?: string;

  /** Only builds whose id contains, or whose number equals, this text. */
  @QueryText()
  query?: string;

  @Relations('appBuildArtifacts', 'job', 'job.jobLogs')
  relations?: string[];
}
