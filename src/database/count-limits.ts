import { Injectable } from '@nestjs/common';
import type { FindOptionsSelect, FindOptionsWhere, ObjectLiteral, Repository } from 'typeorm';
import { ConflictError } from '../common/errors/app-error.js';
import { Config } from '../config/config.js';
import { envVariablesOf } from '../config/env.decorator.js';
import type { LimitConfig } from '../config/groups/limit-config.js';
import { isInTransaction } from './transactions/transaction.js';

/** A limit of `LimitConfig`. */
export type CountLimit = keyof LimitConfig;

/** What the error says: who has how many of what, and how to have fewer. */
const sentences: Readonly<Record<CountLimit, readonly [whose: string, what: string, remedy: string]>> = {
  appsPerOrganization: ['An organization', 'apps', 'delete some'],
  channelsPerApp: ['An app', 'channels', 'delete some'],
  environmentsPerApp: ['An app', 'environments', 'delete some'],
  automationsPerApp: ['An app', 'automations', 'delete some'],
  configurationsPerApp: ['An app', 'configurations', 'delete some'],
  sharesPerBuild: ['A build', 'shares', 'delete some'],
  certificatesPerApp: ['An app', 'certificates', 'delete some'],
  provisioningProfilesPerApp: ['An app', 'provisioning profiles', 'delete some'],
  destinationsPerApp: ['An app', 'destinations', 'delete some'],
  storeKeysPerApp: ['An app', 'files of keys for stores', 'delete the destinations that use some'],
  openSubmissionsPerApp: ['An app', 'open submissions', 'wait, cancel some'],
  runnersPerOrganization: ['An organization', 'runners', 'delete some'],
  webhooksPerApp: ['An app', 'webhooks', 'delete some'],
  webhooksPerOrganization: ['An organization', 'webhooks', 'delete some'],
  gitConnectionsPerOrganization: ['An organization', 'git connections', 'delete some'],
  pendingInvitationsPerOrganization: ['An organization', 'pending invitations', 'revoke some'],
  teamsPerOrganization: ['An organization', 'teams', 'delete some'],
  tokensPerUser: ['A user', 'API tokens', 'delete some'],
  queuedBuildsPerOrganization: ['An organization', 'queued builds', 'wait, cancel some'],
};

/** Limits how many objects of a kind an organization, an app or a user has, exactly, also across processes. */
@Injectable()
export class CountLimits {
  constructor(private readonly config: Config) {}

  /**
   * Call it in the transaction that adds one object, before it does. Others that add an object of the same parent wait
   * until the transaction ends.
   *
   * @param parentId the organization, app or user
   * @param where which of `rows` count
   * @throws ConflictError when the parent has as many objects as the limit allows, or more
   * @throws Error outside of a transaction
   */
  async requireRoom<T extends ObjectLiteral & { id: string }>(
    limit: CountLimit,
    parentId: string,
    rows: Repository<T>,
    where: FindOptionsWhere<T>,
  ): Promise<void> {
    const max = this.config.limits[limit];
    if (await this.hasRoom(limit, max, parentId, rows, where)) return;
    throw new ConflictError(this.messageOf(limit, max), 'limit_reached');
  }

  /**
   * As `requireRoom`, for a limit that is no setting.
   *
   * @param name of the limit
   * @param max how many objects the parent may have; 0: any number
   * @returns whether the parent has fewer
   * @throws Error outside of a transaction
   */
  async hasRoom<T extends ObjectLiteral & { id: string }>(
    name: string,
    max: number,
    parentId: string,
    rows: Repository<T>,
    where: FindOptionsWhere<T>,
  ): Promise<boolean> {
    if (!isInTransaction()) throw new Error('A limit is exact only inside a transaction.');
    if (max === 0) return true;
    await rows.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `${name} ${parentId.toLowerCase()}`,
    ]);
    // Reads no more rows than the limit, however many there are.
    const [last] = await rows.find({
      select: { id: true } as FindOptionsSelect<T>,
      where,
      skip: max - 1,
      take: 1,
    });
    return last === undefined;
  }

  private messageOf(limit: CountLimit, max: number): string {
    const [whose, what, remedy] = sentences[limit];
    const variable = envVariablesOf(this.config.limits).get(limit)?.name ?? limit;
    return `${whose} can have at most ${max} ${what}: ${remedy}, or ask the operator to raise ${variable}.`;
  }
}
