import { Drawer, Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { csrfToken } from '../api/client';
import { accountQuery } from '../api/account';
import { Icon, Mark } from '../parts/icons';
import { FailedScreen } from '../parts/failure';
import { RowsSkeleton } from '../parts/page';
import { initialsOf } from '../parts/texts';
import { AccountProvider, useAccount, useFurtherApps, usePlace } from './account';
import { Jump, openJump } from './jump';
import { useIsLive, useLiveChanges } from './live';

/** What stands around every screen: switchers, navigation, search, account. */
export function Shell(): ReactNode {
  const account = useQuery(accountQuery);
  if (account.data === undefined) {
    return (
      <main>
        {account.error === null ? (
          <RowsSkeleton />
        ) : (
          <FailedScreen error={account.error} onRetry={() => void account.refetch()} what="console" />
        )}
      </main>
    );
  }
  return (
    <AccountProvider account={account.data}>
      <Frame />
    </AccountProvider>
  );
}

function Frame(): ReactNode {
  const { organization, app } = usePlace();
  const [drawer, setDrawer] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const main = useRef<HTMLElement>(null);
  const maySee = organization !== null && organization.permissions.has('events:read');
  useLiveChanges(maySee && !organization.needsSecondFactor ? organization.id : null);
  // Another page: what screen readers read next, and where the tab key continues.
  const isFirst = useRef(true);
  useEffect(() => {
    setDrawer(false);
    if (!isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [path]);
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="top">
        {app === null ? null : (
          <button
            type="button"
            className="menu-button"
            aria-label="Navigation"
            onClick={() => setDrawer(true)}
          >
            <Icon name="menu" size={16} />
          </button>
        )}
        <Link to="/" className="brand" aria-label="Slipway">
          <Mark />
          <span>Slipway</span>
        </Link>
        <Switchers />
        <Link to="/" className="to-inbox" activeOptions={{ exact: true, includeSearch: false }}>
          Inbox
        </Link>
        <NotLive />
        <button type="button" className="jump" onClick={openJump}>
          Search or jump to <kbd>Ctrl K</kbd>
        </button>
        <AccountMenu />
      </header>
      <div className={app === null ? '' : 'frame'}>
        {app === null ? null : <Navigation />}
        <main id="main" ref={main} tabIndex={-1}>
          <Screen />
        </main>
      </div>
      <Drawer opened={drawer} onClose={() => setDrawer(false)} size={264} title={app?.name}>
        <Navigation />
      </Drawer>
      <Jump />
    </>
  );
}

/** The screen of the address, as soon as its app is known. */
function Screen(): ReactNode {
  const { missing } = useAccount();
  if (missing === null) return <Outlet />;
  if (missing.error === null) return <RowsSkeleton />;
  return <FailedScreen error={missing.error} onRetry={missing.retry} what="app" />;
}

function Switchers(): ReactNode {
  const { organizations, appsOf } = useAccount();
  const [isOpen, setIsOpen] = useState(false);
  useFurtherApps(organizations, isOpen);
  const { organization, app } = usePlace();
  if (organization === null) return null;
  return (
    <>
      <div className="organization">
        <Menu position="bottom-start">
          <Menu.Target>
            <UnstyledButton className="switch" aria-label={`Organization: ${organization.name}`}>
              <span>{organization.name}</span>
              <Icon name="down" />
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown mah={400} style={{ overflowY: 'auto' }}>
            {organizations.map(({ id, name }) => (
              <Menu.Item
                key={id}
                renderRoot={(props) => <Link {...props} to="/" search={{ organization: id }} />}
              >
                {name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </div>
      {app === null ? null : (
        <>
          <span className="slash" aria-hidden="true">
            /
          </span>
          <Menu position="bottom-start" opened={isOpen} onChange={setIsOpen}>
            <Menu.Target>
              <UnstyledButton className="switch" aria-label={`App: ${app.name}`}>
                <span>{app.name}</span>
                <Icon name="down" />
              </UnstyledButton>
            </Menu.Target>
            <Menu.Dropdown mah={400} style={{ overflowY: 'auto' }}>
              {appsOf(organization.id).map(({ id, name }) => (
                <Menu.Item key={id} component={Link} to={`/apps/${id}`}>
                  {name}
                </Menu.Item>
              ))}
              <Menu.Divider />
              <Menu.Item component={Link} to="/">
                All apps
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </>
      )}
    </>
  );
}

/** Only what has a screen. */
function Navigation(): ReactNode {
  const appId = useParams({ strict: false }).appId ?? '';
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // Releases are below their channels.
  const isOfChannels = /\/(deployments|publish)(\/|$)/.test(path);
  return (
    <nav className="navigation" aria-label="App">
      <Link to="/apps/$appId" params={{ appId }} activeOptions={{ exact: true }}>
        Overview
      </Link>
      <Link
        to="/apps/$appId/channels"
        params={{ appId }}
        {...(isOfChannels && { 'aria-current': 'page' as const })}
      >
        Channels
      </Link>
      <Link to="/apps/$appId/builds" params={{ appId }} activeOptions={{ includeSearch: false }}>
        Builds
      </Link>
      <Link to="/apps/$appId/devices" params={{ appId }} activeOptions={{ includeSearch: false }}>
        Devices
      </Link>
    </nav>
  );
}

function NotLive(): ReactNode {
  if (useIsLive()) return <span role="status" />;
  return (
    <span className="not-live" role="status">
      <Icon name="alert" /> not live, retrying
    </span>
  );
}

function AccountMenu(): ReactNode {
  const { user } = useAccount();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const form = useRef<HTMLFormElement>(null);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <UnstyledButton
            className="face"
            aria-label={`${initialsOf(user)}: account of ${user.name ?? user.email}`}
            title={user.email}
          >
            {initialsOf(user)}
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{user.email}</Menu.Label>
          <Menu.Item component="a" href="/settings/tokens">
            API tokens
          </Menu.Item>
          <Menu.Item component="a" href="/settings/sessions">
            Sessions and sign-in
          </Menu.Item>
          <Menu.Item component="a" href="/settings/invitations">
            Invitations
          </Menu.Item>
          <Menu.Item component="a" href="/docs">
            API reference
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>Look</Menu.Label>
          {(['auto', 'light', 'dark'] as const).map((scheme) => (
            <Menu.Item
              key={scheme}
              role="menuitemradio"
              aria-checked={colorScheme === scheme}
              rightSection={colorScheme === scheme ? <Icon name="check" /> : null}
              onClick={() => setColorScheme(scheme)}
            >
              {{ auto: 'As the system', light: 'Light', dark: 'Dark' }[scheme]}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={() => form.current?.submit()}>Sign out</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <form ref={form} method="post" action="/logout" hidden>
        <input type="hidden" name="csrf" value={csrfToken()} />
      </form>
    </>
  );
}
