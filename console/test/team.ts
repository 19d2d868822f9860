import { createMember, type Actor, type TestMember } from '../../test/builders/identities.js';
import { givePassword } from '../../test/builders/person.js';
import { query } from '../../test/setup/databases.js';
import { testEnvironment } from '../../test/setup/test-environment.js';
import { expectCreated } from '../../test/support/http/expect-created.js';
import type { Role } from '../../src/common/access/permissions.js';
import type { Shop } from './shop.js';

/** A member of the organization of a shop, by a name that pages show. */
export async function memberCalled(shop: Shop, name: string, role: Role = 'member'): Promise<TestMember> {
  const member = await createMember(shop.tenant, role);
  await givePassword(member);
  await query(testEnvironment().databaseUrl, 'UPDATE users SET name = $2 WHERE id = $1', [
    member.userId,
    name,
  ]);
  return member;
}

/** A release to the channel `beta` that waits for approvals. @returns its id */
export async function askFor(shop: Shop, who: Actor, requiredApprovals: number): Promise<string> {
  const governed = await shop.app.api.patch(`${shop.app.path}/channels/${shop.beta}`, { requiredApprovals });
  expect(governed.status).toBe(200);
  const { buildId } = shop.releases[1]!;
  const body = { appBuildId: buildId, appChannelId: shop.beta, notes: 'Fix checkout on iPad' };
  return expectCreated<{ id: string }>(await who.api.post(`${shop.app.path}/deployments`, body)).id;
}
