import type { Principal } from '../../common/access/principal.js';

/**
 * What tokens need from organizations and apps, which are downstream. The module of app access provides it.
 */
export abstract class ScopeResolver {
  /** @throws NotFoundError when the caller cannot see one of the organizations or apps */
  abstract requireVisible(
    caller: Principal,
    organizationIds: readonly string[],
    appIds: readonly string[],
  ): Promise<void>;
}
