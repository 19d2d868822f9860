import { TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { createChannel } from '../../api/channels';
import { refreshApp } from '../../api/query-client';
import { summariesQuery } from '../../api/summaries';
import { useAccount, useOrganizationOf } from '../../app/account';
import { ActionDialog } from '../../parts/action-dialog';
import { ChannelRow } from '../../parts/channel-row';
import { FailedScreen, NoSuchApp } from '../../parts/failure';
import { counted } from '../../parts/format';
import { EmptyState, Page, RowsSkeleton } from '../../parts/page';
import { ChannelSearch, FoundChannels } from './channel-search';

/** All channels of an app, those with the most devices first. */
export function ChannelsScreen(): ReactNode {
  const { appId } = useParams({ from: '/apps/$appId/channels' });
  const { query = '' } = useSearch({ from: '/apps/$appId/channels' });
  const organization = useOrganizationOf(appId);
  const first = useQuery(summariesQuery(organization?.id ?? null, [appId]));
  const summary = first.data?.find((each) => each.appId === appId);
  const [pages, setPages] = useState(1);
  const [creating, setCreating] = useState(false);
  const { appOf, can } = useAccount();
  if (appOf(appId) === null) return <NoSuchApp />;
  if (first.error !== null && summary === undefined) {
    const retry = (): void => void first.refetch();
    return <FailedScreen error={first.error} onRetry={retry} what="app" title="Channels" />;
  }
  const total = summary === undefined ? null : summary.totalChannels;
  return (
    <Page
      title="Channels"
      says={total === null ? null : `${counted(total, 'channel')}, those with the most devices first.`}
      actions={
        can(appId, 'channels:write')
          ? [{ label: 'Create channel', kind: 'main', onClick: () => setCreating(true) }]
          : []
      }
    >
      {query !== '' || (total !== null && total > summary!.channels.length) ? <ChannelSearch /> : null}
      {query !== '' ? (
        <FoundChannels appId={appId} text={query} />
      ) : summary === undefined ? (
        <RowsSkeleton rows={5} />
      ) : summary.channels.length === 0 ? (
        <EmptyState title="This app has no channels">
          Devices get releases from channels, such as production or beta.
        </EmptyState>
      ) : (
        <div className="card">
          {summary.channels.map((channel) => (
            <ChannelRow key={channel.id} appId={appId} channel={channel} />
          ))}
          {Array.from({ length: pages - 1 }, (_, page) => (
            <FurtherChannels
              key={page}
              appId={appId}
              organizationId={organization?.id ?? ''}
              offset={(page + 1) * summary.channels.length}
            />
          ))}
        </div>
      )}
      {query === '' && summary !== undefined && total !== null && pages * summary.channels.length < total ? (
        <div className="actions end pages">
          <button type="button" className="button" onClick={() => setPages(pages + 1)}>
            Show more
          </button>
        </div>
      ) : null}
      {creating ? <CreateChannelDialog appId={appId} onClose={() => setCreating(false)} /> : null}
    </Page>
  );
}

function CreateChannelDialog({ appId, onClose }: { appId: string; onClose: () => void }): ReactNode {
  const [name, setName] = useState('');
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <ActionDialog
      title="Create channel"
      confirm="Create channel"
      withComment={false}
      onClose={onClose}
      act={async (_comment, key) => {
        const { id } = await createChannel(appId, name.trim(), key);
        void refreshApp(client, appId);
        await navigate({ to: '/apps/$appId/channels/$channelId', params: { appId, channelId: id } });
      }}
    >
      <p>No device gets anything from it before a release is deployed to it, and the devices ask for it.</p>
      <TextInput
        label="Name"
        description="Devices ask for the channel by it, such as beta or pr-1204."
        value={name}
        maxLength={128}
        required
        data-autofocus
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </ActionDialog>
  );
}

function FurtherChannels({
  appId,
  organizationId,
  offset,
}: {
  appId: string;
  organizationId: string;
  offset: number;
}): ReactNode {
  const { data } = useQuery(summariesQuery(organizationId, [appId], offset));
  return (data?.[0]?.channels ?? []).map((channel) => (
    <ChannelRow key={channel.id} appId={appId} channel={channel} />
  ));
}
