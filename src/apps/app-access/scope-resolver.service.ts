import { Injectable } from '@nestjs/common';
import { type ScopeChoices, ScopeResolver } from '../../accounts/tokens/scope-resolver.js';
import type { Principal } from '../../common/access/principal.js';
import { OrganizationAccessService } from '../../organizations/organization-access/organization-access.service.js';
import { AppAccessQueries } from './app-access.queries.js';
import { AppAccessService } from './app-access.service.js';

/** Checks the organizations and apps in the scope of a token. */
@Injectable()
export class ScopeResolverService extends ScopeResolver {
  constructor(
    private readonly organizations: OrganizationAccessService,
    private readonly apps: AppAccessService,
    private readonly queries: AppAccessQueries,
  ) {
    super();
  }

  override async requireVisible(
    caller: Principal,
    organizationIds: readonly string[],
    appIds: readonly string[],
  ): Promise<void> {
    // A scope changes nothing in them, so they may be suspended.
    const reader = { ...caller, writes: false };
    // One after the other, because it is rare and must not take all connections.
    for (const id of organizationIds) await this.organizations.require(reader, id, 'organizations:read');
    for (const id of appIds) await this.apps.require(reader, id, 'apps:read');
  }

  override async choices(caller: Principal, limit: number): Promise<ScopeChoices> {
    const organizationIds = await this.organizations.organizationIds(caller, 'organizations:read');
    const idsWithApps = await this.organizations.organizationIds(caller, 'apps:read');
    return {
      organizations: await this.queries.newestOrganizations(organizationIds, limit),
      apps: await this.queries.newestApps(caller.userId, idsWithApps, limit),
    };
  }
}
