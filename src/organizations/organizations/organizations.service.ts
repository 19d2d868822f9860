import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, MoreThan, type Repository } from 'typeorm';
import type { Principal } from '../../common/access/principal.js';
import { isScoped, insufficientScope } from '../../common/access/token-scope.js';
import { databaseNow } from '../../common/database-clock.js';
import { ConflictError, invalidField } from '../../common/errors/app-error.js';
import type { Page } from '../../common/pagination/page.js';
import type { PageQuery } from '../../common/pagination/page-query.dto.js';
import { Config } from '../../config/config.js';
import { legalHoldViolations } from '../../common/errors/legal-hold.js';
import {
  deleteOrThrow,
  findOrThrow,
  findPage,
  insertOrThrow,
  lockOrThrow,
  updateOrThrow,
} from '../../database/rows.js';
import { transaction } from '../../database/transactions/transaction.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { MembersService } from '../members/members.service.js';
import { OrganizationAccessService } from '../organization-access/organization-access.service.js';
import { findViolation, type Restrictions } from '../organization-access/restrictions.js';
import type { CreateOrganizationDto, UpdateOrganizationDto } from './organization.dto.js';
import { Organization } from './organization.entity.js';

@Injectable()
export class OrganizationsService {
  constructor(
    @InjectRepository(Organization) private readonly organizations: Repository<Organization>,
    private readonly members: MembersService,
    private readonly access: OrganizationAccessService,
    private readonly users: UsersService,
    private readonly config: Config,
  ) {}

  /**
   * The organizations that the caller is a member of and may use from its address and country, by name. Includes those
   * that only lack the caller's second factor.
   */
  async list(caller: Principal, query: PageQuery): Promise<Page<Organization>> {
    const ids = await this.access.listedOrganizationIds(caller);
    return findPage(this.organizations, { id: In(ids) }, query, { name: 'ASC' });
  }

  /** The ids of all organizations, for those who look at each, in their order. @param after the last one before; `null`: none */
  async listIds(after: string | null, size: number): Promise<string[]> {
    const where = after === null ? {} : { id: MoreThan(after) };
    const rows = await this.organizations.find({
      select: { id: true },
      where,
      order: { id: 'ASC' },
      take: size,
    });
    return rows.map(({ id }) => id);
  }

  /** @throws NotFoundError */
  get(id: string): Promise<Organization> {
    return findOrThrow(this.organizations, { id });
  }

  /**
   * Creates an organization with the caller as its owner.
   *
   * @throws ForbiddenError when the token is scoped to organizations or apps, which cannot include a new one, or
   *   the caller's e-mail address is not verified
   * @throws ConflictError when the user owns as many organizations as the server allows
   */
  async create(caller: Principal, values: CreateOrganizationDto): Promise<Organization> {
    if (isScoped(caller.limits)) throw insufficientScope('account:write');
    await this.users.requireVerified(caller.userId);
    return transaction(async () => {
      const { maxPerUser } = this.config.organizations;
      const owned = await this.members.lockAndCountOwned(caller.userId);
      if (maxPerUser > 0 && owned >= maxPerUser) {
        const message = `You own ${maxPerUser} organizations already, which is the limit of this server.`;
        throw new ConflictError(message, 'organization_limit_reached');
      }
      return this.createFor(caller.userId, values.name, caller.userId);
    });
  }

  /**
   * Creates an organization with a user as its owner.
   *
   * @param accountId the user who founds it; `null`: the operator does
   */
  createFor(userId: string, name: string, accountId: string | null): Promise<Organization> {
    return transaction(async () => {
      const organization = await insertOrThrow(this.organizations, { name, slug: slugOf(name), accountId });
      await this.members.create(organization.id, userId, 'owner');
      return organization;
    });
  }

  /**
   * @throws NotFoundError
   * @throws InvalidRequestError when the caller would lock itself out
   */
  async update(caller: Principal, id: string, changes: UpdateOrganizationDto): Promise<Organization> {
    requireAllowed(caller, 'ipAllowlist', changes.ipAllowlist);
    requireAllowed(caller, 'countryAllowlist', changes.countryAllowlist);
    if (changes.twoFactorRequired === true) await this.access.requireOwnTwoFactor(caller, id);
    return updateOrThrow(this.organizations, { id }, { ...changes });
  }

  /**
   * Sets how much an organization may store. Only the operator does.
   *
   * @param sizeInBytes 0: no limit; `null`: the one of `ORGANIZATION_STORAGE_GIGABYTES`
   * @throws NotFoundError
   */
  async setStorageQuota(id: string, sizeInBytes: number | null): Promise<void> {
    await updateOrThrow(this.organizations, { id }, { storageQuotaInBytes: sizeInBytes });
  }

  /**
   * Suspends an organization: only its devices are served. Only the operator does.
   *
   * @param reason one line for the members; `null`: none, or the one that it has
   * @returns the organization as it was before
   * @throws NotFoundError
   */
  suspend(id: string, reason: string | null): Promise<Organization> {
    return transaction(async () => {
      const before = await lockOrThrow(this.organizations, { id }, 'for_no_key_update');
      const { suspendedAt, suspensionReason } = before;
      if (suspendedAt !== null && (reason === null || reason === suspensionReason)) return before;
      const suspended = { suspendedAt: suspendedAt ?? databaseNow(), suspensionReason: reason };
      await updateOrThrow(this.organizations, { id }, suspended);
      return before;
    });
  }

  /** Ends a suspension. @returns the organization as it was before @throws NotFoundError */
  resume(id: string): Promise<Organization> {
    return transaction(async () => {
      const before = await lockOrThrow(this.organizations, { id }, 'for_no_key_update');
      if (before.suspendedAt === null) return before;
      const resumed = { suspendedAt: null, suspensionReason: null, resumedAt: databaseNow() };
      await updateOrThrow(this.organizations, { id }, resumed);
      return before;
    });
  }

  /**
   * Deletes an organization and everything in it.
   *
   * @throws NotFoundError
   * @throws ConflictError when a bundle of it is under legal hold
   */
  delete(id: string): Promise<void> {
    return deleteOrThrow(this.organizations, { id }, legalHoldViolations);
  }
}

/** @throws InvalidRequestError when a list does not contain the caller's own address or country */
function requireAllowed(
  { origin }: Principal,
  field: keyof Restrictions,
  list: readonly string[] | null | undefined,
): void {
  const none = { ipAllowlist: null, countryAllowlist: null };
  if (findViolation({ ...none, [field]: list ?? null }, origin) === null) return;
  const own = (field === 'ipAllowlist' ? origin?.address : origin?.country) ?? 'which is unknown';
  const what = field === 'ipAllowlist' ? 'address' : 'country';
  throw invalidField(field, `${field} must contain your own ${what}, ${own}: you would lock yourself out.`);
}

/** A readable short form of the name, made unique by six random hexadecimal digits. */
function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `${words.slice(0, 40) || 'organization'}-${randomBytes(3).toString('hex')}`;
}
