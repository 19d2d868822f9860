import {
  type ArtifactStatus,
  artifactStatuses,
} from '../../native-builds/build-artifacts/build-artifact.entity.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';

/** Which bundles to list. */
export class ListBundlesQuery extends PageQuery {
  /** Only the bundle of this build. */
  @IsEmptyOr()
  @IsId()
  appBuildId?: string;

  /** `pending`: only bundles that are not published yet; `ready`: only published ones. */
  @IsEmptyOr()
  @IsOneOf(artifactStatuses, 'BuildArtifactStatus')
  artifactStatus?: ArtifactStatus;

  /** Only bundles whose id contains this text. */
  @QueryText()
  query?: string;
}
