import { queryOptions } from '@tanstack/react-query';
import { refuseOther, request } from './client';

export interface AccountApp {
  readonly id: string;
  readonly name: string;
}

export interface AccountOrganization {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly permissions: ReadonlySet<string>;
  /** What the person may do in each of its apps. */
  readonly appPermissions: ReadonlySet<string>;
  readonly needsSecondFactor: boolean;
  /** The first hundred by name. */
  readonly apps: readonly AccountApp[];
  readonly totalApps: number;
}

export interface Account {
  readonly user: {
    readonly id: string;
    readonly name: string | null;
    readonly email: string;
    readonly emailVerified: boolean;
  };
  /** By name. */
  readonly organizations: readonly AccountOrganization[];
}

/** Apps of one request, and the most that the shell lists of an organization. */
const [PAGE, MOST] = [100, 1000];

/** Who looks, and what they may do: one request for the whole shell. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Account> => {
    const { user, organizations } = await request('get', '/v1/users/me/access', { signal });
    refuseOther(user.id);
    return {
      user,
      organizations: organizations.map(
        ({ name, permissions, appPermissions, blockedBy, ...organization }) => ({
          ...organization,
          name: name ?? 'An organization',
          permissions: new Set<string>(permissions),
          appPermissions: new Set<string>(appPermissions),
          needsSecondFactor: blockedBy !== null,
        }),
      ),
    };
  },
});

/** The apps of an organization that the account does not list, by name. */
export const furtherAppsQuery = ({ id, apps, totalApps }: AccountOrganization) =>
  queryOptions({
    queryKey: ['account', 'apps', id],
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<AccountApp[]> => {
      const missing = Math.min(totalApps, MOST) - apps.length;
      const pages = Array.from({ length: Math.ceil(missing / PAGE) }, (_, page) =>
        request('get', '/v1/apps', {
          query: { organizationId: id, limit: PAGE, offset: apps.length + page * PAGE },
          signal,
        }),
      );
      return (await Promise.all(pages)).flat();
    },
  });

/** One app, which the account may not list. */
export const appQuery = (appId: string) =>
  queryOptions({
    queryKey: ['account', 'app', appId],
    staleTime: 60_000,
    queryFn: ({ signal }) => request('get', '/v1/apps/{appId}', { path: { appId }, signal }),
  });

/** Creates an app. @param key of the click */
export function createApp(organizationId: string, name: string, key: string) {
  return request('post', '/v1/apps', {
    query: { organizationId },
    body: { name, type: 'capacitor' },
    idempotencyKey: key,
  });
}
