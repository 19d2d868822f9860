import { Injectable } from '@nestjs/common';
import type { Principal } from '../common/access/principal.js';
import { OrganizationAccessService } from '../organizations/organization-access/organization-access.service.js';
import { type AppRow, type ChannelRow, StartPageQueries } from './start-page.queries.js';

/** The most apps, and channels of one app, on the page. */
const MAX_APPS = 6;
const MAX_CHANNELS = 5;

export interface AppOverview extends AppRow {
  readonly channels: readonly ChannelRow[];
  /** Whether the visitor may publish updates of it. */
  readonly canPublish: boolean;
}

/** What a visitor sees of the server. */
export interface Overview {
  /** The newest ones, newest first. */
  readonly apps: readonly AppOverview[];
  /** The organization in which the visitor can create an app; `null`: there is none. */
  readonly createIn: { readonly id: string; readonly name: string } | null;
  /** Whether the visitor is a member of any organization. */
  readonly isMember: boolean;
  /** Whether organizations are left out that require a second factor. */
  readonly lacksSecondFactor: boolean;
}

/** Collects what the start page shows: only what the visitor could also read with the API. */
@Injectable()
export class StartPageService {
  constructor(
    private readonly access: OrganizationAccessService,
    private readonly queries: StartPageQueries,
  ) {}

  async overview(visitor: Principal): Promise<Overview> {
    const listed = await this.access.listedOrganizationIds(visitor);
    const usable = await this.access.organizationIds(visitor, 'organizations:read');
    const creatable = await this.access.organizationIds(visitor, 'apps:write');
    return {
      apps: await this.apps(visitor),
      createIn: await this.queries.oldest(creatable),
      isMember: listed.length > 0,
      lacksSecondFactor: listed.length > usable.length,
    };
  }

  private async apps(visitor: Principal): Promise<AppOverview[]> {
    const readable = await this.access.organizationIds(
      visitor,
      'apps:read',
      'channels:read',
      'deployments:read',
    );
    const apps = await this.queries.newestApps(visitor.userId, readable, MAX_APPS);
    const ids = apps.map(({ id }) => id);
    const channels = Map.groupBy(await this.queries.channels(ids, MAX_CHANNELS), ({ appId }) => appId);
    const publishable = new Set(
      await this.access.organizationIds(visitor, 'bundles:write', 'deployments:write'),
    );
    return apps.map((app) => ({
      ...app,
      channels: channels.get(app.id) ?? [],
      canPublish: publishable.has(app.organizationId),
    }));
  }
}
