import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { BuildTargetingDto, IsBuildText } from './build-targeting.dto.js';

/** Changes to a build; absent fields stay as they are, `null` clears. */
@ApiExample({ displayName: 'Spring' })
export class UpdateBuildDto extends BuildTargetingDto {
  /** Name for people, at most 1,000 characters. */
  @IsBuildText()
  displayName?: string | null;

  /** Application id or bundle id of the native app. */
  @IsBuildText()
  packageName?: string | null;

  /** Version of the native app. */
  @IsBuildText()
  packageVersion?: string | null;
}
