import type { Principal } from '../../common/access/principal.js';

/**
 * What tokens ask of organizations and apps, which live further down and may not be imported here: the module of app
 * access provides it.
 */
export abstract class ScopeResolver {
  /** @throws NotFoundError when the caller cannot see one of the organizations or apps */
  abstract requireVisible(
    caller: Principal,
    organizationIds: readonly string[],
    appIds: readonly string[],
  ): Promise<void>;
}
