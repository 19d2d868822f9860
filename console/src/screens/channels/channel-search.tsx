import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { CHANNELS, channelsQuery } from '../../api/channels';
import { FailureNote } from '../../parts/failure';
import { EmptyState, RowsSkeleton } from '../../parts/page';
import { channelStatus } from '../../parts/release';
import { StatusBadge } from '../../parts/status';
import { useNow } from '../../parts/texts';

/** Milliseconds after the last key. */
const PAUSE = 200;

/** Finds channels of an app by a part of their names; the address has it. */
export function ChannelSearch(): ReactNode {
  const { query = '' } = useSearch({ from: '/apps/$appId/channels' });
  const navigate = useNavigate({ from: '/apps/$appId/channels' });
  const [text, setText] = useState(query);
  // Another address: by a link, or Back.
  useEffect(() => setText((typed) => (typed.trim() === query ? typed : query)), [query]);
  return (
    <TextInput
      type="search"
      mb={16}
      maw={480}
      aria-label="Search channels"
      placeholder="A part of a name"
      value={text}
      maxLength={128}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        void navigate({ search: value.trim() === '' ? {} : { query: value.trim() }, replace: true });
      }}
    />
  );
}

/** The channels whose names have a text. */
export function FoundChannels({ appId, text }: { appId: string; text: string }): ReactNode {
  const [wanted] = useDebouncedValue(text, PAUSE);
  const { data, error, refetch } = useQuery({
    ...channelsQuery(appId, wanted),
    placeholderData: keepPreviousData,
  });
  const now = useNow();
  if (data === undefined) {
    return error === null ? (
      <RowsSkeleton rows={5} />
    ) : (
      <FailureNote error={error} onRetry={() => void refetch()} />
    );
  }
  if (data.length === 0) {
    return (
      <EmptyState
        title="No channel has this in its name"
        action={
          <Link className="button" to="/apps/$appId/channels" params={{ appId }}>
            Show all channels
          </Link>
        }
      />
    );
  }
  return (
    <>
      <div className="card">
        {data.map((channel) => {
          const status = channelStatus(channel, now);
          return (
            <Link
              key={channel.id}
              className="row"
              to="/apps/$appId/channels/$channelId"
              params={{ appId, channelId: channel.id }}
            >
              <b className="grow break">{channel.name}</b>
              {status === null ? null : <StatusBadge status={status} />}
            </Link>
          );
        })}
      </div>
      {data.length < CHANNELS ? null : (
        <p className="small muted">The first {CHANNELS} by name. Type more of the name to see others.</p>
      )}
    </>
  );
}
