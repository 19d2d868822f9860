import { Injectable } from '@nestjs/common';
import { WaitingCallers, type WaitingCaller } from '../../accounts/auth/waiting-callers.service.js';
import { AppError, NotFoundError, UnauthenticatedError } from '../../common/errors/app-error.js';
import type { Principal } from '../../common/access/principal.js';
import { EventCatalogue } from '../../events/event-catalogue.js';
import type { EventDefinition } from '../../events/event-definition.js';
import { OrganizationAccessService } from '../../organizations/organization-access/organization-access.service.js';
import { FeedAccessQueries, type MemberOfFeed, type UserOfOrganization } from './feed-access.queries.js';
import { type Visibility, visibilityOf } from './visibility.js';

/** Someone who reads the events of an organization. */
export interface FeedCaller {
  readonly caller: WaitingCaller;
  readonly organizationId: string;
}

/** Decides who sees which events. */
@Injectable()
export class FeedAccessService {
  private readonly kinds: readonly EventDefinition[];

  constructor(
    private readonly queries: FeedAccessQueries,
    private readonly callers: WaitingCallers,
    private readonly organizations: OrganizationAccessService,
    catalogue: EventCatalogue,
  ) {
    this.kinds = catalogue.all;
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

  /**
   * Authenticates and authorizes callers again that wait, and reads what they see now, in three statements for all.
   *
   * @returns in the order of the callers; an error ends the wait: the token was revoked, the user is no longer a
   * member, or may no longer read events
   */
  async checkAgain(readers: readonly FeedCaller[]): Promise<(Visibility | AppError)[]> {
    if (readers.length === 0) return [];
    const principals = await this.callers.authenticateAgain(readers.map(({ caller }) => caller));
    const users = new Map(
      readers.map(({ caller, organizationId }): [string, UserOfOrganization] => {
        const user = { userId: caller.principal.userId, organizationId };
        return [keyOf(user), user];
      }),
    );
    const found = await this.queries.members([...users.values()]);
    const members = new Map(found.map((member) => [keyOf(member), member]));
    return Promise.all(
      readers.map(({ caller, organizationId }, index) => {
        const principal = principals[index] ?? null;
        if (principal === null) return new UnauthenticatedError('The token is not valid.', true);
        return this.authorize(
          principal,
          members.get(keyOf({ userId: caller.principal.userId, organizationId })),
        );
      }),
    );
  }

  private async authorize(
    caller: Principal,
    member: MemberOfFeed | undefined,
  ): Promise<Visibility | AppError> {
    if (member === undefined) return new NotFoundError('Organization');
    try {
      // The guard has recorded that the member is there.
      await this.organizations.authorizeForApps(caller, { ...member, stale: false }, 'events:read');
      return this.visibilityFor(caller, member);
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
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
