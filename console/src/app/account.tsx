import { useQueries, useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import {
  type Account,
  type AccountApp,
  type AccountOrganization,
  appQuery,
  furtherAppsQuery,
} from '../api/account';

export type { AccountApp, AccountOrganization } from '../api/account';

/** Who looks, and what they may do, everywhere. */
interface AccountView extends Account {
  /** Those that were read: the first hundred, and the others after `useFurtherApps`. */
  appsOf(organizationId: string): readonly AccountApp[];
  /** `null`: there is none, or the person may not see it. */
  appOf(appId: string): AccountApp | null;
  organizationOf(appId: string): AccountOrganization | null;
  /** Whether the person may do something with an app. The API decides all the same. */
  can(appId: string, permission: string): boolean;
  /** The app that was used last; `null`: none. */
  readonly lastApp: AccountApp | null;
  /** The app of the address is not known yet, or why it is not; `null`: it is known, or there is none. */
  readonly missing: { readonly error: Error | null; readonly retry: () => void } | null;
}

const Context = createContext<AccountView | null>(null);
const LAST_APP = 'slipway-last-app';

export function AccountProvider({ account, children }: { account: Account; children: ReactNode }): ReactNode {
  const { organizations } = account;
  const further = useFurtherApps(organizations, false);
  const apps = new Map<string, OrganizationApp>();
  const add = (organization: AccountOrganization | undefined, app: AccountApp): void => {
    if (organization !== undefined) apps.set(app.id, { app, organization });
  };
  organizations.forEach((organization, index) => {
    for (const app of [...organization.apps, ...(further[index]?.data ?? [])]) add(organization, app);
  });
  const { appId = '' } = useParams({ strict: false });
  const id = appId === '_' ? lastAppId() : appId;
  const isListed = id === '' || apps.has(id) || !organizations.some(hasFurtherApps);
  const other = useQuery({ ...appQuery(id), enabled: !isListed });
  if (!isListed && other.data !== undefined) {
    const { organizationId } = other.data;
    add(
      organizations.find((each) => each.id === organizationId),
      other.data,
    );
  }
  const missing =
    isListed || other.data !== undefined ? null : { error: other.error, retry: () => void other.refetch() };
  return <Context value={viewOf(account, apps, missing)}>{children}</Context>;
}

interface OrganizationApp {
  readonly app: AccountApp;
  readonly organization: AccountOrganization;
}

const hasFurtherApps = ({ apps, totalApps }: AccountOrganization): boolean => apps.length < totalApps;
const lastAppId = (): string => localStorage.getItem(LAST_APP) ?? '';

/** Reads the apps that the account does not list. @param isWanted else only those that were read before */
export function useFurtherApps(organizations: readonly AccountOrganization[], isWanted: boolean) {
  return useQueries({
    queries: organizations.map((organization) => ({
      ...furtherAppsQuery(organization),
      enabled: isWanted && hasFurtherApps(organization),
    })),
  });
}

export function useAccount(): AccountView {
  const view = useContext(Context);
  if (view === null) throw new Error('There is no account around this part.');
  return view;
}

export function useOrganizationOf(appId: string): AccountOrganization | null {
  return useAccount().organizationOf(appId);
}

/** Where the person is: the organization and the app of the address, else the first organization. */
export function usePlace(): { organization: AccountOrganization | null; app: AccountApp | null } {
  const { appId } = useParams({ strict: false });
  const { organization: chosen } = useSearch({ strict: false }) as { organization?: string };
  const { organizations, appOf, organizationOf, lastApp, missing } = useAccount();
  const app = appId === undefined ? null : appId === '_' ? lastApp : appOf(appId);
  useEffect(() => {
    if (app !== null) localStorage.setItem(LAST_APP, app.id);
  }, [app]);
  if (missing !== null && missing.error === null) return { organization: null, app: null };
  const organization =
    app === null
      ? (organizations.find(({ id }) => id === chosen) ?? organizations[0] ?? null)
      : organizationOf(app.id);
  return { organization, app };
}

function viewOf(
  account: Account,
  apps: ReadonlyMap<string, OrganizationApp>,
  missing: AccountView['missing'],
): AccountView {
  const appOf = (id: string): AccountApp | null => apps.get(id)?.app ?? null;
  return {
    ...account,
    appsOf: (id) =>
      [...apps.values()].filter(({ organization }) => organization.id === id).map(({ app }) => app),
    appOf,
    organizationOf: (id) => apps.get(id)?.organization ?? null,
    can: (id, permission) => apps.get(id)?.organization.appPermissions.has(permission) ?? false,
    lastApp: appOf(lastAppId()),
    missing,
  };
}
