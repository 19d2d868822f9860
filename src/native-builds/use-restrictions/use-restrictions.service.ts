import { Injectable } from '@nestjs/common';
import { AppAccessService } from '../../apps/app-access/app-access.service.js';
import type { RolePermission } from '../../common/access/permissions.js';
import type { Principal } from '../../common/access/principal.js';
import { type CopiedScope, unscoped } from '../../common/access/token-scope.js';
import { ConflictError, ForbiddenError, invalidField, NotFoundError } from '../../common/errors/app-error.js';
import { matchesRef, patternFor } from '../../common/ref-patterns.js';
import { UseRestrictionsQueries } from './use-restrictions.queries.js';

/** Something that builds use and that may be limited: an environment or a certificate. */
export interface Restricted {
  readonly appId: string;
  readonly name: string;
  readonly allowedRefs: readonly string[];
  readonly protected: boolean;
}

/** Where a build comes from, as far as that decides what it may use. */
export interface BuildOrigin {
  /** The branch or tag in full (`refs/heads/main`); `null`: it has none. */
  readonly ref: string | null;
  /** Whether it is built from an uploaded source, not from the repository of the app. */
  readonly isUpload: boolean;
  /**
   * Whether the build sets additional variables: they can make programs run other code than that of the branch, so what
   * is limited to branches is then as if it were protected.
   */
  readonly hasOwnVariables: boolean;
  /** What the automation that started the build was saved with; `null`: no automation did. */
  readonly automation: { readonly scope: CopiedScope } | null;
}

export type UsePermission = Extract<RolePermission, `${string}:use`>;

/**
 * Checks a permission of a build's creator.
 *
 * @throws ForbiddenError
 */
export type Authorize = (permission: UsePermission) => Promise<unknown>;

const kinds: Readonly<Record<UsePermission, string>> = {
  'environments:use': 'environment',
  'certificates:use': 'certificate',
};

/** Decides who may use and change environments and certificates that are limited. */
@Injectable()
export class UseRestrictionsService {
  constructor(
    private readonly access: AppAccessService,
    private readonly queries: UseRestrictionsQueries,
  ) {}

  /**
   * Users who can lift a restriction can get around it, so changing what is restricted takes the same permission as
   * using it, and so does restricting.
   *
   * @param present the object as it is; `null`: it is new
   * @param changes what the request sets
   * @throws ForbiddenError
   */
  async authorizeChange(
    caller: Principal,
    permission: UsePermission,
    appId: string,
    present: Restricted | null,
    changes: Partial<Pick<Restricted, 'allowedRefs' | 'protected'>> = {},
  ): Promise<void> {
    const restricts = changes.allowedRefs !== undefined || changes.protected !== undefined;
    if (!restricts && (present === null || !isRestricted(present))) return;
    await this.access.require(caller, appId, permission);
  }

  /** @throws ForbiddenError with a sentence that says why, and which pattern to add */
  async authorizeUse(
    authorize: Authorize,
    permission: UsePermission,
    used: Restricted,
    origin: BuildOrigin,
  ): Promise<void> {
    const what = `The ${kinds[permission]} ${used.name}`;
    if (origin.automation !== null && isClosedToAutomations(used)) {
      throw new ForbiddenError(closedToAutomations(permission, used), 'use_restricted');
    }
    if (!matchesRef(used.allowedRefs, origin.ref)) {
      const refs = used.allowedRefs.join(', ');
      const pattern = patternFor(origin.ref);
      const hint = pattern === null ? '' : ` To allow this build, add ${pattern} to allowedRefs.`;
      throw new ForbiddenError(
        `${what} can only be used by builds from these branches and tags: ${refs}.${hint}`,
        'use_restricted',
      );
    }
    if (await this.isClosedToUploads(permission, used, origin)) {
      throw new ForbiddenError(
        `${what} cannot be used by builds of uploaded sources: the organization restricts its certificates.`,
        'use_restricted',
      );
    }
    if (needsPermission(used, origin)) await this.requireUse(authorize, permission, used);
  }

  private async requireUse(authorize: Authorize, permission: UsePermission, used: Restricted): Promise<void> {
    try {
      await authorize(permission);
    } catch (error) {
      if (!(error instanceof ForbiddenError) || error.code !== 'not_authorized') throw error;
      throw new ForbiddenError(
        `The ${kinds[permission]} ${used.name} is protected: using it requires the permission ${permission}.`,
        'use_restricted',
      );
    }
  }

  /**
   * Checks whether an automation may have something that its builds use, before there is a build.
   *
   * @param field of the request that names it
   * @param canMatch whether one of the patterns can allow one of the refs of the automation
   * @throws InvalidRequestError when no build of the automation may ever use it
   * @throws ForbiddenError when it is protected, and the user who saves the automation may not use it
   */
  async authorizeAutomation(
    authorize: Authorize,
    permission: UsePermission,
    used: Restricted,
    { field, canMatch }: { readonly field: string; canMatch(patterns: readonly string[]): boolean },
  ): Promise<void> {
    if (isClosedToAutomations(used)) {
      throw invalidField(field, `${field} cannot be used. ${closedToAutomations(permission, used)}`);
    }
    if (used.allowedRefs.length > 0 && !canMatch(used.allowedRefs)) {
      const refs = used.allowedRefs.join(', ');
      throw invalidField(
        field,
        `${field} cannot be used. The ${kinds[permission]} ${used.name} is only for builds from these branches and tags: ${refs}. The automation builds none of them.`,
      );
    }
    if (used.protected) await this.requireUse(authorize, permission, used);
  }

  /**
   * Checks again what `authorizeUse` has allowed when a build was created: the restrictions, and what the creator may
   * do, may have changed.
   *
   * @param creatorId the user who started the build; `null`: deleted
   * @returns why the build may no longer use it, in a sentence; `null`: it may
   */
  async findLostUse(
    creatorId: string | null,
    permission: UsePermission,
    used: Restricted,
    origin: BuildOrigin,
  ): Promise<string | null> {
    const lost = `The build may not use the ${kinds[permission]} ${used.name} any more`;
    if (origin.automation !== null && isClosedToAutomations(used)) {
      return `${lost}: it is protected, and automations can only use it for the branches and tags in its allowedRefs.`;
    }
    if (!matchesRef(used.allowedRefs, origin.ref)) {
      return `${lost}: only builds from these branches and tags can: ${used.allowedRefs.join(', ')}.`;
    }
    if (await this.isClosedToUploads(permission, used, origin)) {
      return `${lost}: builds of uploaded sources cannot use certificates of the organization.`;
    }
    if (!needsPermission(used, origin)) return null;
    if (creatorId === null) return `${lost}: the user who started it was deleted.`;
    try {
      const scope = origin.automation?.scope ?? unscoped;
      await this.access.requireMember(creatorId, used.appId, permission, scope);
      return null;
    } catch (error) {
      if (error instanceof NotFoundError)
        return `${lost}: the user who started it cannot see the app any more.`;
      if (!(error instanceof ForbiddenError)) throw error;
      return `${lost}: the user who started it lacks the permission ${permission}.`;
    }
  }

  /**
   * Keeps what a build is going to use: without it, the build would be unsigned, or lack its variables. Call it with the
   * row locked.
   *
   * @throws ConflictError
   */
  async requireUnused(what: 'certificate' | 'environment', id: string): Promise<void> {
    if (await this.queries.isInUse(what, id))
      throw new ConflictError(`A build that has not ended uses the ${what}.`);
  }

  /** Whether the organization of an app has `restrictCertificates`. */
  restrictsCertificates(appId: string): Promise<boolean> {
    return this.queries.restrictsCertificates(appId);
  }

  private async isClosedToUploads(
    permission: UsePermission,
    { appId }: Restricted,
    { isUpload }: BuildOrigin,
  ): Promise<boolean> {
    if (!isUpload || permission !== 'certificates:use') return false;
    return this.restrictsCertificates(appId);
  }
}

/** What is protected is for builds of people, unless it names the branches and tags that it is for. */
function isClosedToAutomations(used: Restricted): boolean {
  return used.protected && used.allowedRefs.length === 0;
}

function closedToAutomations(permission: UsePermission, { name }: Restricted): string {
  return `The ${kinds[permission]} ${name} is protected, so automations can only use it for branches and tags that its allowedRefs name: add some.`;
}

function needsPermission(used: Restricted, { hasOwnVariables }: BuildOrigin): boolean {
  return used.protected || (hasOwnVariables && used.allowedRefs.length > 0);
}

function isRestricted({ allowedRefs, protected: isProtected }: Restricted): boolean {
  return isProtected || allowedRefs.length > 0;
}

/** The automation that started a build, as checks want it; `null`: a person did. */
export function automationOf({
  automationId,
  automationScope,
}: {
  readonly automationId: string | null;
  readonly automationScope: CopiedScope | null;
}): BuildOrigin['automation'] {
  return automationId === null ? null : { scope: automationScope ?? unscoped };
}
