import { openWork } from '../../common/background/shared-capacity.js';
import { AppError } from '../../common/errors/app-error.js';
import type { FeedCaller } from './feed-access.service.js';

/** Seconds after which a request may have ended. */
const RETRY_AFTER = 5;

/** 429: as many requests are open as may. */
class TooManyRequestsError extends AppError {
  override readonly headers: Readonly<Record<string, string>> = { 'Retry-After': String(RETRY_AFTER) };

  /** @param reason such as `20 requests of your user wait for events already` @param otherwise what works now */
  constructor(reason: string, otherwise: string) {
    super(`${reason}. Try again in ${RETRY_AFTER} seconds, or ${otherwise}.`, 'rate_limited');
  }
}

/** A request that stays open. */
export interface OpenRequest {
  readonly feedCaller: FeedCaller;
}

/** Requests about the events of organizations that stay open at this server: so many of a user and of an organization. */
export class OpenRequests<T extends OpenRequest> {
  private readonly byOrganization = new Map<string, Set<T>>();
  /** How many each user has. */
  private readonly ofUsers = new Map<string, number>();
  private count = 0;

  private readonly most: { readonly user: number; readonly organization: number };

  /**
   * @param limit the row of docs/capacity.md
   * @param reason why another one is refused
   * @param otherwise what the caller can do instead
   */
  constructor(
    limit: 'event-waits' | 'change-streams',
    private readonly reason: (limit: number, whose: string) => string,
    private readonly otherwise: string,
  ) {
    this.most = openWork[limit].of;
  }

  get size(): number {
    return this.count;
  }

  /** @throws TooManyRequestsError */
  join(request: T): void {
    const { organizationId, caller } = request.feedCaller;
    const { userId } = caller.principal;
    const others = this.byOrganization.get(organizationId) ?? new Set();
    const own = this.ofUsers.get(userId) ?? 0;
    const { user, organization } = this.most;
    if (own >= user) throw this.refusal(user, 'your user');
    if (others.size >= organization) throw this.refusal(organization, 'the organization');
    this.byOrganization.set(organizationId, others.add(request));
    this.ofUsers.set(userId, own + 1);
    this.count++;
  }

  leave(request: T): void {
    const { organizationId, caller } = request.feedCaller;
    const { userId } = caller.principal;
    const requests = this.byOrganization.get(organizationId);
    if (requests?.delete(request) !== true) return;
    if (requests.size === 0) this.byOrganization.delete(organizationId);
    const own = (this.ofUsers.get(userId) ?? 0) - 1;
    if (own > 0) this.ofUsers.set(userId, own);
    else this.ofUsers.delete(userId);
    this.count--;
  }

  /** Organizations that have some. */
  get organizationIds(): string[] {
    return [...this.byOrganization.keys()];
  }

  has(organizationId: string): boolean {
    return this.byOrganization.has(organizationId);
  }

  /** Those of an organization. */
  of(organizationId: string): T[] {
    return [...(this.byOrganization.get(organizationId) ?? [])];
  }

  /** All of them. */
  all(): T[] {
    return this.organizationIds.flatMap((id) => this.of(id));
  }

  private refusal(limit: number, whose: string): AppError {
    return new TooManyRequestsError(this.reason(limit, whose), this.otherwise);
  }
}
