import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { channelsQuery } from '../api/channels';
import { useAccount, useFurtherApps, usePlace } from './account';

export const openJump = (): void => spotlight.open();

/** Channels that are shown at once. */
const CHANNELS = 10;
/** The server searches channels when no key was pressed for so many milliseconds. */
const PAUSE = 150;

/** Ctrl-K: apps, the channels of the present app, and pages. */
export function Jump(): ReactNode {
  const navigate = useNavigate();
  const { organizations, appsOf } = useAccount();
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
  // Enter takes the one that is marked. Mantine marks the first one after a key, but not what comes later.
  useEffect(() => {
    if (!isOpen || document.querySelector('[data-action][data-selected]') !== null) return;
    document.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  }, [channels.data, isComplete, isOpen]);
  const go = (to: string) => () => void navigate({ to });
  const leave = (href: string) => () => location.assign(href);
  return (
    <Spotlight
      shortcut={['mod + K']}
      onSpotlightOpen={() => setIsOpen(true)}
      onSpotlightClose={() => setIsOpen(false)}
      onQueryChange={setText}
      limit={30}
      nothingFound="Nothing found"
      searchProps={{ placeholder: 'An app, a channel or a page', 'aria-label': 'Search' }}
      actions={[
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
      ]}
    />
  );
}

/** Those whose name begins with the text come first. */
function firstOf<T extends { readonly name: string }>(channels: readonly T[], text: string): T[] {
  const begins = ({ name }: T): boolean => name.toLowerCase().startsWith(text.toLowerCase());
  return [...channels.filter(begins), ...channels.filter((channel) => !begins(channel))].slice(0, CHANNELS);
}
