import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import type { DeviceFilters } from '../api/devices';
import { DeadEnd } from '../parts/failure';
import { Shell } from './shell';

/*
 * The addresses of the console. The official clients print some of them, so these are fixed. Paths hold UUIDs only: what
 * people and devices choose stands in the query.
 */
const root = createRootRoute({ component: Shell, notFoundComponent: NoSuchPage });

function NoSuchPage() {
  return <DeadEnd title="There is no page at this address" />;
}

const apps = createRoute({
  getParentRoute: () => root,
  path: '/',
  /** `organization`: the one whose apps come first. */
  validateSearch: ({ organization }: Record<string, unknown>): { organization?: string } =>
    typeof organization === 'string' ? { organization } : {},
  component: lazyRouteComponent(() => import('../screens/apps/apps'), 'AppsScreen'),
});

/** Everything of an app; `_` in place of its id: the app that was used last. */
const app = createRoute({ getParentRoute: () => root, path: '/apps/$appId' });

const overview = createRoute({
  getParentRoute: () => app,
  path: '/',
  component: lazyRouteComponent(() => import('../screens/overview/overview'), 'OverviewScreen'),
});

const channels = createRoute({
  getParentRoute: () => app,
  path: '/channels',
  /** `query`: a part of the names to show. */
  validateSearch: ({ query }: Record<string, unknown>): { query?: string } =>
    typeof query === 'string' && query !== ''
      ? { query }
      : typeof query === 'number'
        ? { query: String(query) }
        : {},
  component: lazyRouteComponent(() => import('../screens/channels/channels'), 'ChannelsScreen'),
});

const channel = createRoute({
  getParentRoute: () => app,
  path: '/channels/$channelId',
  /** `page`: of its releases, from 1. */
  validateSearch: ({ page }: Record<string, unknown>): { page?: number } =>
    Number(page) > 1 ? { page: Math.floor(Number(page)) } : {},
  component: lazyRouteComponent(() => import('../screens/channel/channel'), 'ChannelScreen'),
});

const release = createRoute({
  getParentRoute: () => app,
  path: '/deployments/$deploymentId',
  component: lazyRouteComponent(() => import('../screens/release/release'), 'ReleaseScreen'),
});

const DevicesScreen = lazyRouteComponent(() => import('../screens/devices/devices'), 'DevicesScreen');
const DeviceScreen = lazyRouteComponent(() => import('../screens/device/device'), 'DeviceScreen');

const devices = createRoute({
  getParentRoute: () => app,
  path: '/devices',
  /** `id`: of one device, as it chose it; else what the list is narrowed to, and `cursor` of a page after the first one. */
  validateSearch: (search: Record<string, unknown>): DevicesSearch =>
    Object.fromEntries(
      (['id', 'query', 'customId', 'channel', 'bundle', 'platform', 'seen', 'cursor'] as const).flatMap(
        (name) => {
          const value = search[name];
          return typeof value === 'string' && value !== '' ? [[name, value]] : [];
        },
      ),
    ),
  component: function DevicesOrOne() {
    const { id } = devices.useSearch();
    return id === undefined ? <DevicesScreen /> : <DeviceScreen key={id} />;
  },
});

interface DevicesSearch extends DeviceFilters {
  readonly id?: string;
  readonly cursor?: string;
}

const publish = createRoute({
  getParentRoute: () => app,
  path: '/publish',
  /** `channel`: the id of the one to publish to. */
  validateSearch: ({ channel: id }: Record<string, unknown>): { channel?: string } =>
    typeof id === 'string' ? { channel: id } : {},
  component: lazyRouteComponent(() => import('../screens/publish/publish'), 'PublishScreen'),
});

/** A text of the query; one of digits is read as a number. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

const builds = createRoute({
  getParentRoute: () => app,
  path: '/builds',
  /** `ref`: a branch, a tag or a commit; `page`: from 1. */
  validateSearch: ({ platform, status, ref, page }: Record<string, unknown>): BuildsSearch => ({
    ...(textOf(platform) !== undefined && { platform: textOf(platform) }),
    ...(textOf(status) !== undefined && { status: textOf(status) }),
    ...(textOf(ref) !== undefined && { ref: textOf(ref) }),
    ...(Number(page) > 1 && { page: Math.floor(Number(page)) }),
  }),
  component: lazyRouteComponent(() => import('../screens/builds/builds'), 'BuildsScreen'),
});

interface BuildsSearch {
  platform?: string | undefined;
  status?: string | undefined;
  ref?: string | undefined;
  page?: number;
}

const build = createRoute({
  getParentRoute: () => app,
  path: '/builds/$buildId',
  component: lazyRouteComponent(() => import('../screens/build/build'), 'BuildScreen'),
});

/** Addresses that clients print and that have no screen yet. */
const later = createRoute({
  getParentRoute: () => app,
  path: '/$',
  component: lazyRouteComponent(() => import('../screens/later/later'), 'LaterScreen'),
});

/** The same of an organization. */
const laterOfOrganization = createRoute({
  getParentRoute: () => root,
  path: '/organizations/$organizationId/$',
  component: lazyRouteComponent(() => import('../screens/later/later'), 'LaterOfOrganizationScreen'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    apps,
    laterOfOrganization,
    app.addChildren([overview, channels, channel, release, publish, builds, build, devices, later]),
  ]),
  defaultPreload: 'intent',
  // All values are texts: a device may have chosen 1e5 or true for its id.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const values = Object.entries(search).filter(([, value]) => value !== undefined);
    const text = new URLSearchParams(values.map(([name, value]) => [name, String(value)])).toString();
    return text === '' ? '' : `?${text}`;
  },
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** Of a release: its own publication has led there. */
    published?: boolean;
  }
}
