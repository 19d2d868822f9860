import { Injectable } from '@nestjs/common';
import { AppAccessService } from '../../apps/app-access/app-access.service.js';
import type { Principal } from '../../common/access/principal.js';
import { databaseNow } from '../../common/database-clock.js';
import { invalidField } from '../../common/errors/app-error.js';
import { OrganizationAccessService } from '../../organizations/organization-access/organization-access.service.js';
import { dayAfter } from '../insights/days.js';
import { AppCounts } from './app-counts.js';
import type { AppCount } from './app-counts.queries.js';
import { AppFactsCache } from './app-facts.js';
import type { AppSummaryDto, ListAppSummariesQuery } from './app-summary.dto.js';
import { toAppSummaryDto } from './to-app-summary-dto.js';

/** Shows apps with what they deliver, from what is kept for all who look at them. No request waits for a count. */
@Injectable()
export class AppSummariesService {
  constructor(
    private readonly organizations: OrganizationAccessService,
    private readonly apps: AppAccessService,
    private readonly counts: AppCounts,
    private readonly facts: AppFactsCache,
  ) {}

  /**
   * The summaries of those of the apps that the caller can see, in the order of their ids.
   *
   * @throws InvalidRequestError for an offset of the channels of several apps
   * @throws ForbiddenError when the caller may not read all that a summary has
   */
  async list(
    caller: Principal,
    organizationId: string,
    { ids, channelOffset = 0 }: ListAppSummariesQuery,
  ): Promise<AppSummaryDto[]> {
    if (channelOffset > 0 && ids.length > 1) {
      throw invalidField('channelOffset', 'channelOffset is for one app: send a single id.');
    }
    await this.organizations.requireForApps(
      caller,
      organizationId,
      'channels:read',
      'deployments:read',
      'builds:read',
    );
    const visible = await this.apps.visibleAmong(caller, organizationId, ids);
    const counted = ids
      .filter((id) => visible.has(id))
      .map((appId) => ({ appId, count: this.counts.of(appId, organizationId) }));
    const [first] = counted;
    const found =
      channelOffset > 0 && first !== undefined
        ? [await this.facts.page(first, channelOffset)]
        : await this.facts.of(organizationId, counted);
    const today = dayAfter(databaseNow().getTime(), 0);
    return found.flatMap((facts, index) => {
      const count: AppCount | null = counted[index]?.count ?? null;
      return facts === null ? [] : [toAppSummaryDto(facts, count, today)];
    });
  }
}
