import { Injectable } from '@nestjs/common';
import { WaitingCallers, type WaitingCaller } from '../../accounts/auth/waiting-callers.service.js';
import { NotFoundError, UnauthenticatedError } from '../../common/errors/app-error.js';
import type { Principal } from '../../common/access/principal.js';
import { EventCatalogue } from '../../events/event-catalogue.js';
import { OrganizationAccessService } from '../../organizations/organization-access/organization-access.service.js';
import { FeedAccessQueries, type MemberOfFeed, type UserOfOrganization } from './feed-access.queries.js';
import { APP_CHANGED, INBOX_CHANGED, type KindOfEvent, type Visibility, visibilityOf } from './visibility.js';

/** Someone who reads the events of an organization. */
export interface FeedCaller {
  readonly caller: WaitingCaller;
  readonly organizationId: string;
}

/** A caller who waits, as of now: `null` and `undefined` when the token is not valid, or the user is no longer a member. */
export interface FoundCaller {
  readonly principal: Principal | null;
  readonly member: MemberOfFeed | undefined;
}

/** Decides who sees which events. */
@Injectable()
export class FeedAccessService {
  private readonly kinds: readonly KindOfEvent[];

  constructor(
    private readonly queries: FeedAccessQueries,
    private readonly callers: WaitingCallers,
    private readonly organizations: OrganizationAccessService,
    catalogue: EventCatalogue,
  ) {
    this.kinds = [...catalogue.all, APP_CHANGED, INBOX_CHANGED];
  }

  /**
   * What a caller sees whom the guards have just let through.
   *
   * @throws NotFoundError when it is no longer a member
   */
  async visibilityOf({ caller, organizationId }: FeedCaller): Promise<Visibility> {
    const { principal } = caller;
    const [member] = await this.queries.members([{ userId: principal.userId, organizationId }]);
    if (member === undefined) throw new NotFoundError('Organization');
    return this.visibilityFor(principal, member);
  }

  /** Reads waiting callers again, in three statements for all. @returns in their order, for `authorize` */
  async readAgain(readers: readonly FeedCaller[]): Promise<FoundCaller[]> {
    if (readers.length === 0) return [];
    const principals = await this.callers.authenticateAgain(readers.map(({ caller }) => caller));
    const users = readers.map(({ caller, organizationId }): UserOfOrganization => {
      return { userId: caller.principal.userId, organizationId };
    });
    const found = await this.queries.members([...new Map(users.map((user) => [keyOf(user), user])).values()]);
    const members = new Map(found.map((member) => [keyOf(member), member]));
    return users.map((user, index) => ({
      principal: principals[index] ?? null,
      member: members.get(keyOf(user)),
    }));
  }

  /**
   * What a caller sees now.
   *
   * @throws UnauthenticatedError when the token was revoked
   * @throws NotFoundError when the user is no longer a member
   * @throws ForbiddenError when the user may no longer read events
   */
  async authorize(caller: FoundCaller | undefined): Promise<Visibility> {
    const { principal = null, member } = caller ?? {};
    if (principal === null) throw new UnauthenticatedError('The token is not valid.', true);
    if (member === undefined) throw new NotFoundError('Organization');
    // The guard has recorded that the member is there.
    await this.organizations.authorizeForApps(principal, { ...member, stale: false }, 'events:read');
    return this.visibilityFor(principal, member);
  }

  private visibilityFor(
    { limits }: Principal,
    { organizationId, role, teamAppIds }: MemberOfFeed,
  ): Visibility {
    return visibilityOf({ organizationId, role, limits, teamAppIds }, this.kinds);
  }
}

function keyOf({ userId, organizationId }: UserOfOrganization): string {
  return `${userId} ${organizationId}`;
}
