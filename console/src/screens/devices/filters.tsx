import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { channelQuery, channelsQuery } from '../../api/channels';
import type { DeviceFilters } from '../../api/devices';
import { Icon } from '../../parts/icons';
import { platforms } from '../../parts/device';
import { when } from '../../parts/format';
import { useNow } from '../../parts/texts';

/** Milliseconds after the last key: a search reads all devices of the app. */
const PAUSE = 400;

const days = [
  ['1', 'Today'],
  ['7', '7 days'],
  ['30', '30 days'],
] as const;

/** What narrows the list. The address has it all. */
export function Filters({
  appId,
  filters,
  bundleName,
}: {
  appId: string;
  filters: DeviceFilters;
  /** What the devices run that are shown; `null`: none is. */
  bundleName: string | null;
}): ReactNode {
  const navigate = useNavigate({ from: '/apps/$appId/devices' });
  const set = (change: DeviceFilters, replace = false): void =>
    void navigate({
      search: Object.fromEntries(
        Object.entries({ ...filters, ...change }).filter(([, value]) => value !== undefined && value !== ''),
      ),
      replace,
    });
  const chip = (name: 'platform' | 'seen', value: string, label: string): ReactNode => (
    <button
      key={value}
      type="button"
      className="chip"
      aria-pressed={filters[name] === value}
      onClick={() => set({ [name]: filters[name] === value ? undefined : value })}
    >
      {label}
    </button>
  );
  return (
    <div className="device-filters">
      <Search text={filters.query ?? ''} onChange={(query) => set({ query }, true)} />
      <ChannelFilter appId={appId} channel={filters.channel} onChange={(channel) => set({ channel })} />
      <div className="actions" role="group" aria-label="Platform">
        {Object.entries(platforms).map(([value, label]) => chip('platform', value, label))}
      </div>
      <div className="actions" role="group" aria-label="Seen">
        {days.map(([value, label]) => chip('seen', value, label))}
      </div>
      <Chosen filters={filters} bundleName={bundleName} onClear={(name) => set({ [name]: undefined })} />
    </div>
  );
}

function Search({ text, onChange }: { text: string; onChange: (text: string) => void }): ReactNode {
  const [typed, setTyped] = useState(text);
  // Another address: by a link, or Back.
  useEffect(() => setTyped((now) => (now.trim() === text ? now : text)), [text]);
  const changed = useDebouncedCallback(onChange, PAUSE);
  return (
    <TextInput
      className="search"
      type="search"
      aria-label="Search devices"
      placeholder="An id or a custom id, or a part of one"
      value={typed}
      maxLength={255}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        changed(value.trim());
      }}
    />
  );
}

/** The first channels by name; a link can have chosen another one. */
function ChannelFilter({
  appId,
  channel = '',
  onChange,
}: {
  appId: string;
  channel: string | undefined;
  onChange: (channel: string) => void;
}): ReactNode {
  const { data: channels = [] } = useQuery(channelsQuery(appId));
  const isListed = channel === '' || channels.some(({ id }) => id === channel);
  const { data: other } = useQuery({ ...channelQuery(appId, channel), enabled: !isListed });
  return (
    <select
      className="select"
      aria-label="Channel"
      value={channel}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      <option value="">All channels</option>
      {isListed ? null : <option value={channel}>{other?.name ?? 'A channel'}</option>}
      {channels.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** Filters that a link has set, each with a button that takes it away. */
function Chosen({
  filters: { bundle, customId, seen },
  bundleName,
  onClear,
}: {
  filters: DeviceFilters;
  bundleName: string | null;
  onClear: (name: 'bundle' | 'customId' | 'seen') => void;
}): ReactNode {
  const now = useNow();
  const since = seen === undefined || /^\d+$/.test(seen) ? null : new Date(seen);
  const chosen = [
    ['bundle', bundle === undefined ? null : `Runs ${bundleName ?? `bundle ${bundle.slice(0, 8)}`}`],
    ['customId', customId === undefined ? null : `Custom id ${customId}`],
    ['seen', since === null ? null : `Seen since ${Number.isNaN(since.getTime()) ? seen : when(since, now)}`],
  ] as const;
  return chosen.map(([name, text]) =>
    text === null ? null : (
      <button
        key={name}
        type="button"
        className="chip removable break"
        aria-pressed="true"
        aria-label={`Without the filter: ${text}`}
        onClick={() => onClear(name)}
      >
        <span className="bidi">{text}</span> <Icon name="cross" size={10} />
      </button>
    ),
  );
}
