import type { Principal } from '../../common/access/principal.js';

/** An organization that a token can be limited to. */
export interface ScopeOrganization {
  readonly id: string;
  readonly name: string;
}

/** An app that a token can be limited to. */
export interface ScopeApp extends ScopeOrganization {
  readonly organizationName: string;
}

/** What a token can be limited to. */
export interface ScopeChoices {
  readonly organizations: readonly ScopeOrganization[];
  readonly apps: readonly ScopeApp[];
}

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

  /**
   * The organizations and the apps that `requireVisible` accepts: of each the newest, by name.
   *
   * @param limit the most of each
   */
  abstract choices(caller: Principal, limit: number): Promise<ScopeChoices>;
}
