import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsAbsentOr } from '../../common/validation/optional.decorators.js';
import { IsSubmoduleRepositories } from './submodule-repositories.decorator.js';

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
}
