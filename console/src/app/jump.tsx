import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { foundBuildsQuery } from '../api/builds';
import { channelsQuery } from '../api/channels';
import { isWholeId, realId } from '../api/devices';
import { platforms } from '../parts/build';
import { releaseName } from '../parts/release';
import { useAccount, useFurtherApps, usePlace } from './account';
import { type DeviceHit, useDeviceHits } from './device-hits';

export const openJump = (): void => spotlight.open();

/** Channels that are shown at once. */
const CHANNELS = 10;
/** The server searches when no key was pressed for so many milliseconds. */
const PAUSE = 150;

/** The number of a build, as people write it. */
const BUILD = /^(?:build )?#?(\d+)$/i;

/** Ctrl-K: apps and their devices, the channels and builds of the present app, and pages. */
export function Jump(): ReactNode {
  const navigate = useNavigate();
  const { organizations, appsOf, can } = useAccount();
  const { app } = usePlace();
  const [isOpen, setIsOpen] = useState(false);
  const [text, setText] = useState('');
  const further = useFurtherApps(organizations, isOpen);
  const isComplete = !further.some(({ isLoading }) => isLoading);
  const [wanted] = useDebouncedValue(text.trim(), PAUSE);
  const channels = useQuery({
    ...channelsQuery(app?.id ?? '', wanted),
    enabled: app !== null && isOpen,
    placeholderData: keepPreviousData,
  });
  const [, number] = BUILD.exec(wanted) ?? [];
  const builds = useQuery({
    ...foundBuildsQuery(app?.id ?? '', number ?? ''),
    enabled: app !== null && isOpen && number !== undefined,
  });
  const mayFind = app !== null && can(app.id, 'devices:read') && wanted !== '';
  const { apps, hits, ...devices } = useDeviceHits(app, isOpen ? wanted : '');
  const isSearching = isWholeId(text.trim()) && (text.trim() !== wanted || devices.isSearching);
  /** What was written when an arrow last chose another one. */
  const chosenFor = useRef<string | null>(null);
  // Enter takes the one that is marked: the first one, also of what comes after the key, unless an arrow has chosen another.
  useEffect(() => {
    if (!isOpen || chosenFor.current === text) return;
    for (const each of document.querySelectorAll('[data-action][data-selected]')) {
      each.removeAttribute('data-selected');
    }
    document.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  }, [channels.data, builds.data, hits.length, isComplete, isOpen, isSearching, text, wanted]);
  const go = (to: string) => () => void navigate({ to });
  const showDevices = (appId: string, search: { id: string } | { query: string }) => () =>
    void navigate({ to: '/apps/$appId/devices', params: { appId }, search });
  const actionOf = ({ app: { id: appId, name }, device }: DeviceHit) => ({
    id: `device ${appId} ${device.id}`,
    label: appId === app?.id ? wanted : `${name} · ${wanted}`,
    description: realId(device) === wanted ? 'Device' : `Device ${device.id}`,
    onClick: showDevices(appId, { id: realId(device) }),
  });
  const leave = (href: string) => () => location.assign(href);
  return (
    <Spotlight
      shortcut={['mod + K']}
      onSpotlightOpen={() => setIsOpen(true)}
      onSpotlightClose={() => setIsOpen(false)}
      onQueryChange={setText}
      limit={30}
      tagsToIgnore={[]}
      nothingFound={
        isSearching
          ? 'Searching…'
          : app === null
            ? 'Nothing has this name. For channels and builds, open their app first.'
            : `Nothing of ${app.name} has this name, and no other app`
      }
      searchProps={{
        placeholder:
          app === null
            ? 'An app, the id of a device, or a page. Builds: open an app first'
            : 'An app, a channel, the number of a build, a device, or a page',
        'aria-label': 'Search',
        onKeyDown: ({ key }) => {
          if (key === 'ArrowDown' || key === 'ArrowUp') chosenFor.current = text;
        },
      }}
      actions={[
        ...(app === null
          ? []
          : [
              {
                group: `Devices of ${app.name}`,
                actions: hits.filter((hit) => hit.app.id === app.id).map(actionOf),
              },
            ]),
        {
          group: app === null ? 'Devices' : 'Devices of other apps',
          actions: hits.filter((hit) => hit.app.id !== app?.id).map(actionOf),
        },
        ...(app === null
          ? []
          : [
              {
                group: `Channels of ${app.name}`,
                actions: firstOf(channels.data ?? [], wanted).map(({ id, name }) => ({
                  id,
                  label: name,
                  description: 'Channel',
                  keywords: [id],
                  onClick: go(`/apps/${app.id}/channels/${id}`),
                })),
              },
            ]),
        ...(app === null || builds.data === undefined
          ? []
          : [
              {
                group: `Builds of ${app.name}`,
                actions: builds.data.map((build) => ({
                  id: build.id,
                  label: `Build ${build.numberAsString}`,
                  description: [platforms[build.platform], releaseName(build)].join(' · '),
                  keywords: [build.numberAsString, wanted],
                  onClick: go(`/apps/${app.id}/builds/${build.id}`),
                })),
              },
            ]),
        ...organizations.map((organization) => ({
          group: `Apps of ${organization.name}`,
          actions: appsOf(organization.id).map(({ id, name }) => ({
            id,
            label: name,
            description: 'App',
            onClick: go(`/apps/${id}`),
          })),
        })),
        {
          group: 'Pages',
          actions: [
            { id: 'apps', label: 'Inbox and all apps', onClick: go('/') },
            { id: 'tokens', label: 'API tokens', onClick: leave('/settings/tokens') },
            { id: 'sessions', label: 'Sessions', onClick: leave('/settings/sessions') },
            { id: 'invitations', label: 'Invitations', onClick: leave('/settings/invitations') },
            { id: 'docs', label: 'API reference', onClick: leave('/docs') },
          ],
        },
        ...(app !== null || wanted === '' || isSearching || hits.length > 0
          ? []
          : [
              {
                group: 'Devices. For builds and channels, open their app first',
                actions: apps.map(({ id, name }) => ({
                  id: `devices ${id}`,
                  label: `Devices of ${name} with ${wanted}`,
                  description: 'A part of an id or a custom id',
                  keywords: [text],
                  onClick: showDevices(id, { query: wanted }),
                })),
              },
            ]),
        // Last: Enter takes the first one that is found.
        ...(!mayFind || isSearching
          ? []
          : [
              {
                group: 'Search',
                actions: [
                  {
                    id: 'devices',
                    label: `Devices with ${wanted}`,
                    description: 'A part of an id or a custom id',
                    keywords: [text],
                    onClick: showDevices(app.id, { query: wanted }),
                  },
                ],
              },
            ]),
      ]}
    />
  );
}

/** Those whose name begins with the text come first. */
function firstOf<T extends { readonly name: string }>(channels: readonly T[], text: string): T[] {
  const begins = ({ name }: T): boolean => name.toLowerCase().startsWith(text.toLowerCase());
  return [...channels.filter(begins), ...channels.filter((channel) => !begins(channel))].slice(0, CHANNELS);
}
