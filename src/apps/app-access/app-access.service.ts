import { Injectable } from '@nestjs/common';
import { roleGrants, type RolePermission } from '../../common/access/permissions.js';
import type { Principal } from '../../common/access/principal.js';
import {
  allows,
  type CopiedScope,
  covers,
  insufficientScope,
  unscoped,
} from '../../common/access/token-scope.js';
import { ForbiddenError, NotFoundError, AppError } from '../../common/errors/app-error.js';
import { isUuid } from '../../common/validation/uuid.js';
import { OrganizationAccessService } from '../../organizations/organization-access/organization-access.service.js';
import type { App } from '../apps/app.entity.js';
import { AppAccessQueries } from './app-access.queries.js';
import { JobApps } from './job-apps.js';

/** 404 for `/v1/jobs/null`: clients put the `jobId` of a build into the path, which is `null` for uploaded ones. */
class UploadedBuildError extends AppError {
  constructor() {
    super('This build was uploaded: it has no job.', 'job_not_found');
  }
}

/** Decides whether a caller may do something in an app. */
@Injectable()
export class AppAccessService {
  constructor(
    private readonly queries: AppAccessQueries,
    private readonly organizations: OrganizationAccessService,
    private readonly jobs: JobApps,
  ) {}

  /**
   * @returns the app
   * @throws NotFoundError when the app does not exist or the caller cannot see it: callers cannot tell these apart
   * @throws ForbiddenError as `OrganizationAccessService.authorize` does
   */
  async require(caller: Principal, appId: string, permission: RolePermission): Promise<App> {
    const found = isUuid(appId) ? await this.queries.find(caller.userId, appId) : null;
    if (found === null) throw new NotFoundError('App');
    const target = { organizationId: found.app.organizationId, appId: found.app.id };
    if (!covers(caller.limits, target)) throw new NotFoundError('App');
    await this.organizations.authorize(caller, found.membership, permission, target);
    return found.app;
  }

  /**
   * Those of these apps of an organization that the caller can see, for lists that its permissions allow.
   *
   * @param appIds in lower case
   */
  async visibleAmong(
    { userId, limits }: Principal,
    organizationId: string,
    appIds: readonly string[],
  ): Promise<Set<string>> {
    const covered = appIds.filter((appId) => covers(limits, { organizationId, appId }));
    return new Set(await this.queries.visibleAmong(userId, organizationId, covered));
  }

  /**
   * As `require`, for the app of a job.
   *
   * @throws NotFoundError about the job when there is none, or the caller cannot see its app
   * @throws UploadedBuildError for the id `null`
   */
  async requireOfJob(caller: Principal, jobId: string, permission: RolePermission): Promise<App> {
    if (jobId === 'null') throw new UploadedBuildError();
    const appId = isUuid(jobId) ? await this.jobs.appOf(jobId) : null;
    if (appId === null) throw new NotFoundError('Job');
    try {
      return await this.require(caller, appId, permission);
    } catch (error) {
      throw error instanceof NotFoundError ? new NotFoundError('Job') : error;
    }
  }

  /**
   * As `require`, for work that a user started earlier: the role and the teams that the user has now decide. Where the
   * user was and how they signed in was checked when they started it.
   *
   * @param scope of the token that has asked for the work, if it was kept
   * @throws NotFoundError when the user can no longer see the app, or the scope does not cover it
   * @throws ForbiddenError when the role or the scope lacks the permission
   */
  async requireMember(
    userId: string,
    appId: string,
    permission: RolePermission,
    scope: CopiedScope = unscoped,
  ): Promise<App> {
    const found = await this.queries.find(userId, appId);
    if (found === null) throw new NotFoundError('App');
    const target = { organizationId: found.app.organizationId, appId: found.app.id };
    if (!covers(scope, target)) throw new NotFoundError('App');
    if (!roleGrants(found.membership.role, permission)) throw new ForbiddenError();
    if (!allows(scope, permission, target)) throw insufficientScope(permission);
    return found.app;
  }
}
