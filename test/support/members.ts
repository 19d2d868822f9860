import type { Role } from '../../src/common/access/permissions.js';
import { type Actor, createMember, type Tenant } from '../builders/identities.js';

/** A member of a tenant together with the id of the membership. */
export interface TestMember extends Actor {
  readonly memberId: string;
}

/** Another member of the tenant, with the id of the membership. */
export async function joinTenant(tenant: Tenant, role: Role): Promise<TestMember> {
  const actor = await createMember(tenant, role);
  return { ...actor, memberId: await memberIdOf(tenant, actor) };
}

/** The id of an actor's membership. */
export async function memberIdOf(tenant: Tenant, actor: Actor): Promise<string> {
  const { body } = await tenant.owner.api.get(
    `/v1/organizations/${tenant.organizationId}/members?query=${actor.userId}`,
  );
  return (body as { id: string }[])[0]?.id ?? '';
}
