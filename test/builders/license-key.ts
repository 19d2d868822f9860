import { expectCreated } from '../support/http/expect-created.js';
import type { Tenant } from './identities.js';

/** A license key as the API shows it, and the way to it. */
export interface TestLicenseKey {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly createdAt: string;
  readonly lockedUntil: string;
  /** `/v1/organizations/{id}/license-keys/{id}` */
  readonly path: string;
}

/** A license key of the tenant. @param values such as `packageIds` */
export async function createLicenseKey(tenant: Tenant, values: object = {}): Promise<TestLicenseKey> {
  const path = `/v1/organizations/${tenant.organizationId}/license-keys`;
  const shown = expectCreated<TestLicenseKey>(
    await tenant.owner.api.post(path, { name: 'Mobile team', ...values }),
  );
  return { ...shown, path: `${path}/${shown.id}` };
}
