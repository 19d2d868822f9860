import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant, type Tenant } from '../../builders/identities.js';
import { expectCreated } from '../http/expect-created.js';
import { uniqueName } from '../unique-name.js';
import type { Parent, ParentKind } from './resource.js';

/** Resources below `/v1/apps/{appId}`. */
export const ofApp: ParentKind<TestApp> = {
  idField: 'appId',
  path: '/v1/apps/{appId}',
  create: (beside) => createApp(beside?.tenant),
};

/** Resources below `/v1/organizations/{organizationId}`. */
export const ofOrganization: ParentKind = {
  idField: 'organizationId',
  path: '/v1/organizations/{organizationId}',
  create: async (beside) => {
    if (beside === undefined) return asParent(await createTenant());
    const { owner } = beside.tenant;
    const another = await owner.api.post('/v1/organizations', { name: uniqueName('another') });
    return asParent({ organizationId: expectCreated<{ id: string }>(another).id, owner });
  },
};

/** An organization as the parent of its resources. */
export function asParent(tenant: Tenant): Parent {
  const { organizationId: id, owner } = tenant;
  return { id, path: `/v1/organizations/${id}`, tenant, api: owner.api };
}
