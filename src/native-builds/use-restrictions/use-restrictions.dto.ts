import { IsBoolean } from 'class-validator';
import { IsAllowedRefs } from '../../common/validation/allowed-refs.decorator.js';
import { IsAbsentOr } from '../../common/validation/optional.decorators.js';

/** Limits the builds that can use an object. */
export class UseRestrictionsDto {
  /**
   * Only builds from branches and tags that match one of these patterns can use it; empty: all can, also builds of
   * uploaded sources. `*` stands for any characters but slashes, `**` for any. Patterns mean branches unless they begin with
   * `refs/`, such as `refs/tags/v*`. Setting it requires the permission to use it.
   */
  @IsAbsentOr()
  @IsAllowedRefs()
  allowedRefs?: string[];

  /** Whether using and changing it requires the permission to use it, which members lack. Setting it requires it, too. */
  @IsAbsentOr()
  @IsBoolean({ message: '$property must be true or false.' })
  protected?: boolean;
}
