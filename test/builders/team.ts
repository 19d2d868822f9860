import { expectCreated } from '../support/http/expect-created.js';
import { uniqueName } from '../support/unique-name.js';
import type { Tenant } from './identities.js';

/** A team, and the way to it. */
export interface TestTeam {
  readonly id: string;
  readonly name: string;
  /** `/v1/organizations/{id}/teams/{id}` */
  readonly path: string;
}

/** A team of the tenant, under a name of its own unless given. */
export async function createTeam(tenant: Tenant, values: object = {}): Promise<TestTeam> {
  const teams = `/v1/organizations/${tenant.organizationId}/teams`;
  const { id, name } = expectCreated<{ id: string; name: string }>(
    await tenant.owner.api.post(teams, { name: uniqueName('team'), ...values }),
  );
  return { id, name, path: `${teams}/${id}` };
}

/** Assigns an app to a team. @returns the id of the assignment */
export async function assignApp(tenant: Tenant, team: TestTeam, appId: string): Promise<string> {
  return expectCreated<{ id: string }>(await tenant.owner.api.post(`${team.path}/apps`, { appId })).id;
}

/** Adds a member to a team. @returns the id of the assignment */
export async function assignMember(tenant: Tenant, team: TestTeam, memberId: string): Promise<string> {
  return expectCreated<{ id: string }>(await tenant.owner.api.post(`${team.path}/members`, { memberId })).id;
}
