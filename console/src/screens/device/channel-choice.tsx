import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { CHANNELS, channelsQuery } from '../../api/channels';
import type { Channel } from '../../api/types';
import { FailureNote } from '../../parts/failure';

/** Milliseconds after the last key. */
const PAUSE = 200;

/** Chooses a channel of an app; where there are many, by a part of its name. @param channel `null`: none is chosen yet */
export function ChannelChoice({
  appId,
  channel,
  usedId = null,
  onChange,
}: {
  appId: string;
  channel: Channel | null;
  /** The channel that the device uses now. */
  usedId?: string | null;
  onChange: (channel: Channel | null) => void;
}): ReactNode {
  const id = useId();
  const [text, setText] = useState('');
  const [wanted] = useDebouncedValue(text.trim(), PAUSE);
  const first = useQuery(channelsQuery(appId));
  const found = useQuery({ ...channelsQuery(appId, wanted), placeholderData: keepPreviousData });
  const channels = found.data ?? [];
  const listed =
    channel === null || channels.some((each) => each.id === channel.id) ? channels : [channel, ...channels];
  return (
    <div>
      <label htmlFor={id}>Channel</label>
      {first.data === undefined || first.data.length < CHANNELS ? null : (
        <TextInput
          type="search"
          mt={4}
          aria-label="Search channels"
          placeholder="A part of a name"
          value={text}
          maxLength={128}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      <select
        id={id}
        className="select"
        value={channel?.id ?? ''}
        onChange={({ currentTarget }) =>
          onChange(listed.find((each) => each.id === currentTarget.value) ?? null)
        }
      >
        <option value="">Choose a channel</option>
        {listed.map((each) => (
          <option key={each.id} value={each.id}>
            {each.id === usedId ? `${each.name} (its channel now)` : each.name}
          </option>
        ))}
      </select>
      <FailureNote error={found.error} onRetry={() => void found.refetch()} what="channels" />
    </div>
  );
}
