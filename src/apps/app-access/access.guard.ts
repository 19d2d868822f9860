import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { AUTHENTICATED_BY } from '../../common/access/authenticated-by.decorator.js';
import { ORGANIZATION_IN_QUERY } from '../../common/access/organization-in-query.decorator.js';
import { isAccountPermission, type Permission } from '../../common/access/permissions.js';
import type { Principal } from '../../common/access/principal.js';
import { PUBLIC, REQUIRES } from '../../common/access/requires.decorator.js';
import { SCOPED_TO_APPS } from '../../common/access/scoped-to-apps.decorator.js';
import { allows, insufficientScope } from '../../common/access/token-scope.js';
import { invalidField } from '../../common/errors/app-error.js';
import { requestOriginOf } from '../../common/request-origin/request-origin.js';
import { isUuid } from '../../common/validation/uuid.js';
import { Config } from '../../config/config.js';
import { OrganizationAccessService } from '../../organizations/organization-access/organization-access.service.js';
import { RefusalsService } from '../../organizations/activities/refusals.service.js';
import { AppAccessService } from './app-access.service.js';
import type { AppRequest } from './current-app.decorator.js';

/**
 * Checks that the caller may do this: loads the app of the path, or that of the job in the path, or the organization, and
 * refuses every route that does not state what it requires.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly apps: AppAccessService,
    private readonly organizations: OrganizationAccessService,
    private readonly config: Config,
    private readonly refusals: RefusalsService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const handler = context.getHandler();
    const request = context.switchToHttp().getRequest<AppRequest & { user?: Principal }>();
    if (request.user) {
      const origin = requestOriginOf(request, this.config.http.countryHeader);
      const writes = request.method !== 'GET' && request.method !== 'HEAD';
      request.user = { ...request.user, origin, writes };
    }
    if (this.reflector.get<boolean>(PUBLIC, handler)) return true;
    if (this.reflector.get(AUTHENTICATED_BY, handler) !== undefined) return true;
    const permission = this.reflector.get<Permission | undefined>(REQUIRES, handler);
    const { appId, jobId, organizationId } = request.params;
    if (permission === undefined || request.user === undefined)
      throw new Error('This route states no permission.');
    if (isAccountPermission(permission)) {
      if (!allows(request.user.limits, permission, {})) throw insufficientScope(permission);
      return true;
    }
    try {
      if (typeof appId === 'string') {
        request.currentApp = await this.apps.require(request.user, appId, permission);
      } else if (typeof organizationId === 'string') {
        const forApps = this.reflector.get<boolean>(SCOPED_TO_APPS, handler);
        await this.organizations[forApps ? 'requireForApps' : 'require'](
          request.user,
          organizationId,
          permission,
        );
        request.tenantId = organizationId;
      } else if (typeof jobId === 'string') {
        request.currentApp = await this.apps.requireOfJob(request.user, jobId, permission);
      } else if (this.reflector.get<boolean>(ORGANIZATION_IN_QUERY, handler)) {
        const asked = organizationIdOf(request.query);
        await this.organizations.requireForApps(request.user, asked, permission);
      } else {
        throw new Error(`${permission} needs :appId, :organizationId or :jobId in the path.`);
      }
      request.tenantId ??= request.currentApp?.organizationId;
    } catch (error) {
      await this.refusals.record(context, error);
      throw error;
    }
    return true;
  }
}

/** @throws InvalidRequestError when the query has none */
function organizationIdOf({ organizationId }: Request['query']): string {
  if (typeof organizationId === 'string' && isUuid(organizationId)) return organizationId.toLowerCase();
  throw invalidField('organizationId', 'organizationId must be a UUID.');
}
