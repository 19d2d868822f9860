/**
 * The git repositories of apps as far as apps need them. The repository module provides it, because it builds on apps.
 */
export abstract class RepositoryLinks {
  /** Takes from an app what belongs to the organization that it leaves: connections to git servers. */
  abstract leaveOrganization(appId: string): Promise<void>;
}
