import { randomUUID } from 'node:crypto';
import { isAccountPermission } from '../../../src/common/access/permissions.js';
import { createApp } from '../../builders/app.js';
import { createTenant, type Tenant } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectError } from '../http/expect-error.js';
import { expectOpenApi } from '../http/expect-openapi.js';
import { createJob } from '../jobs/leases.js';
import type { Route } from './routes.js';

/*
 * Every route of openapi.json that has a permission in an organization, in a suspended one: those that read work, and all
 * others are refused before anything else is looked at. New routes are found by themselves.
 */

/** Sends requests to a suspended organization to each of some routes. */
export function testSuspension(routes: readonly Route[]): void {
  describe('in a suspended organization', () => {
    let tenant: Tenant;
    /** By name of the parameter. */
    let ids: Readonly<Record<string, string>>;

    beforeAll(async () => {
      tenant = await createTenant();
      const app = await createApp(tenant);
      const { organizationId } = tenant;
      ids = { organizationId, appId: app.id, jobId: await createJob(app) };
      await query(
        testEnvironment().databaseUrl,
        `UPDATE organizations SET suspended_at = now(), suspension_reason = 'Unpaid.' WHERE id = $1`,
        [organizationId],
      );
    });

    const ofOrganizations = routes.filter(({ operation: { 'x-permission': permission } }) => {
      return permission !== undefined && !isAccountPermission(permission);
    });
    it.each(ofOrganizations.map((route) => [route.name, route] as const))('%s', async (name, route) => {
      const [, pattern = ''] = name.split(' ');
      // What is below the organization or the app is not looked for.
      const path = pattern.replace(/\{(\w+)\}/g, (_, parameter: string) => ids[parameter] ?? randomUUID());
      const response = await tenant.owner.api.request(route.method, path);
      if (route.method === 'get') {
        expect(response.status).not.toBe(403);
        return;
      }
      expectError(response, 403, 'organization_suspended');
      expect(response.body).toMatchObject({
        message: 'The operator of this server has suspended the organization: Unpaid.',
      });
      expectOpenApi(route.method, path, response);
    });
  });
}
