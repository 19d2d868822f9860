import { generateApiToken } from '../../../src/common/access/api-token.js';
import {
  isAccountPermission,
  type Permission,
  permissions,
  type Role,
  roleGrants,
} from '../../../src/common/access/permissions.js';
import { createToken } from '../../builders/token.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../http/api.js';
import type { World } from './world.js';

/** The expected outcome of a call: an error, or any response of the route to an allowed caller. */
export type Outcome = 401 | 403 | 404 | 'allowed';

/** A permission, and what it is asked for. */
export interface Demand {
  /** `anywhere`: in whatever organization, for lists across them; `apps`: for lists of what its apps have. */
  readonly of: 'account' | 'anywhere' | 'organization' | 'apps' | 'app';
  readonly permission: Permission;
}

/** How the token of a caller is limited. All limited tokens are the owner's. */
export type Limit =
  | 'read-only'
  | 'lacks the permission'
  | 'lacks what the service asks for'
  | 'just this'
  | 'other app'
  | 'other organization';

/** A caller of a route. */
export interface Caller {
  readonly name: string;
  /** `invalid`: one is sent, but not a valid one. */
  readonly token: 'none' | 'invalid' | 'valid';
  /** `null`: in another organization only. */
  readonly role: Role | null;
  /** Whether teams let it see the app. */
  readonly seesApp: boolean;
  readonly limit: Limit | null;
  /** @param needs the permissions that the call asks for, the operation's own first */
  readonly apiIn: (world: World, needs: readonly Permission[]) => Promise<Api> | Api;
}

const bearer = (token: string | null): Api => new Api(testEnvironment().origin, token);

function invalid(name: string, token: Caller['token'], tokenIn: (world: World) => string | null): Caller {
  return {
    name,
    token,
    role: null,
    seesApp: false,
    limit: null,
    apiIn: (world) => bearer(tokenIn(world)),
  };
}

function whole(name: string, role: Role | null, apiIn: (world: World) => Api, seesApp = true): Caller {
  return { name, token: 'valid', role, seesApp, limit: null, apiIn };
}

function limited(
  limit: Limit,
  limits: (world: World, needs: readonly Permission[]) => Readonly<Record<string, unknown>>,
): Caller {
  return {
    name: `owner, token: ${limit}`,
    token: 'valid',
    role: 'owner',
    seesApp: true,
    limit,
    apiIn: async (world, needs) => (await createToken(world.tenant.owner.api, limits(world, needs))).api,
  };
}

const allBut = (lacked: Permission | undefined) => ({
  permissions: permissions.filter((permission) => permission !== lacked),
});

const callers: readonly Caller[] = [
  invalid('no token', 'none', () => null),
  invalid('bad token', 'invalid', () => generateApiToken()),
  invalid('expired token', 'invalid', ({ expiredToken }) => expiredToken),
  whole('member of a foreign organization', null, ({ foreigner }) => foreigner.api),
  whole('owner', 'owner', ({ tenant }) => tenant.owner.api),
  whole('admin', 'admin', ({ admin }) => admin.api),
  whole('billing', 'billing', ({ billing }) => billing.api),
  whole('member', 'member', ({ member }) => member.api),
  whole('viewer', 'viewer', ({ viewer }) => viewer.api),
  whole('member without the app', 'member', ({ outsideTeams }) => outsideTeams.api, false),
  limited('read-only', () => ({ permissions: 'read-only' })),
  limited('lacks the permission', (_world, [own]) => allBut(own)),
  limited('lacks what the service asks for', (_world, [, further]) => allBut(further)),
  limited('just this', (_world, needs) => ({
    permissions: needs.length === 0 ? ['members:read'] : needs,
  })),
  limited('other app', ({ otherApp }) => ({ appIds: [otherApp.id] })),
  limited('other organization', ({ otherOrganizationId }) => ({ organizationIds: [otherOrganizationId] })),
];

/** Every caller of a route that needs these permissions. */
export function callersFor(needs: readonly Permission[]): readonly Caller[] {
  return needs.length > 1
    ? callers
    : callers.filter(({ limit }) => limit !== 'lacks what the service asks for');
}

/** Whether the caller's token names organizations or apps. */
export function isScoped({ limit }: Caller): boolean {
  return limit === 'other app' || limit === 'other organization';
}

/**
 * What a caller with a valid token gets, from the table of roles and its token's limits. Says in its own words what the
 * server does in `common/access/token-scope.ts`, so that a mistake there shows.
 *
 * @param needs the permissions that the call asks for, the operation's own first
 */
export function judge(
  caller: Caller,
  { of, permission }: Demand,
  [own, further]: readonly Permission[],
): Outcome {
  const { role, limit } = caller;
  const granted =
    (limit !== 'read-only' || permission.endsWith(':read')) &&
    (limit !== 'lacks the permission' || permission !== own) &&
    (limit !== 'lacks what the service asks for' || permission !== further);
  if (isAccountPermission(permission)) return granted ? 'allowed' : 403;
  if (of !== 'anywhere') {
    if (role === null || limit === 'other organization') return 404;
    if (of === 'app' && (limit === 'other app' || !caller.seesApp)) return 404;
    if (!roleGrants(role, permission)) return 403;
  }
  if (!granted) return 403;
  if (of === 'apps') return 'allowed';
  return limit === 'other app' && permission !== 'apps:read' ? 403 : 'allowed';
}
