import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { channelQuery } from '../../api/channels';
import { changeFreezes, type FreezeWindow } from '../../api/freezes';
import { serverNow } from '../../api/server-time';
import type { Channel } from '../../api/types';
import { ActionDialog } from '../../parts/action-dialog';
import { exactly } from '../../parts/format';
import { Banner, Section } from '../../parts/page';
import { StatusBadge } from '../../parts/status';
import { personName, TimeAgo } from '../../parts/texts';

/** In milliseconds: the time that the page shows may be a little old, and what begins now is to be seen at once. */
const JUST_NOW = 60_000;

/** A change of the freezes of a channel. */
export interface Freezing {
  /** The one to lift; `null`: a new one. */
  readonly window: FreezeWindow | null;
}

/** The freeze of a channel and those to come, soonest first. Without any, those who may set one see how. */
export function Freezes({
  channel,
  now,
  onChange,
}: {
  channel: Channel;
  now: Date;
  /** `null`: the reader may not set and lift them. */
  onChange: ((freezing: Freezing) => void) | null;
}): ReactNode {
  const windows = channel.freezeWindows
    .filter(({ to }) => Date.parse(to) > now.getTime())
    .toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from));
  if (windows.length === 0 && onChange === null) return null;
  return (
    <Section
      title="Freezes"
      note="no release starts or grows; taking one back works"
      action={
        onChange === null ? null : (
          <button type="button" className="button" onClick={() => onChange({ window: null })}>
            Add a freeze
          </button>
        )
      }
    >
      <div className="card">
        {windows.length === 0 ? <div className="pad muted">None is set.</div> : null}
        {windows.map((window) => {
          const isNow = Date.parse(window.from) <= now.getTime();
          return (
            <div className="row stack-row" key={`${window.from} ${window.to} ${window.reason}`}>
              <div className="grow">
                <b className="break">{window.reason ?? 'Freeze'}</b>
                <div className="muted">
                  {shortly(window.from)} to {shortly(window.to)}
                </div>
              </div>
              <StatusBadge status={isNow ? 'frozen' : 'planned'} />
              {onChange === null ? null : (
                <button
                  type="button"
                  className="button"
                  aria-label={`${isNow ? 'Lift' : 'Remove'} the freeze ${window.reason ?? shortly(window.from)}`}
                  onClick={() => onChange({ window })}
                >
                  {isNow ? 'Lift' : 'Remove'}
                </button>
              )}
            </div>
          );
        })}
      </div>
    </Section>
  );
}

const local = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** A time as people plan it, with the exact one for those who ask. */
function shortly(time: string): string {
  return local.format(new Date(time));
}

/** Freezes a channel, or lifts a freeze. */
export function FreezeDialog({
  channel: read,
  freezing: { window },
  onDone,
  onClose,
}: {
  channel: Channel;
  freezing: Freezing;
  onDone: () => Promise<unknown>;
  onClose: () => void;
}): ReactNode {
  // As the person saw it: what others change after that is a conflict.
  const [channel] = useState(read);
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [reason, setReason] = useState('');
  const begin = from === '' ? serverNow() - JUST_NOW : Date.parse(from);
  const end = Date.parse(to);
  const problem =
    window !== null
      ? undefined
      : to === ''
        ? 'Choose when it ends.'
        : end <= begin
          ? 'It must end after it begins.'
          : undefined;
  const change = (windows: readonly FreezeWindow[]): FreezeWindow[] =>
    window === null
      ? [
          ...windows,
          {
            from: new Date(begin).toISOString(),
            to: new Date(end).toISOString(),
            reason: reason.trim() === '' ? null : reason.trim(),
          },
        ]
      : windows.filter(
          (each) => each.from !== window.from || each.to !== window.to || each.reason !== window.reason,
        );
  const isNow = window !== null && Date.parse(window.from) <= serverNow();
  const verb = window === null ? `Freeze ${channel.name}` : isNow ? 'Lift the freeze' : 'Remove the freeze';
  return (
    <ActionDialog
      title={verb}
      confirm={verb}
      blocked={problem}
      onClose={onClose}
      conflict={<ChannelConflict channel={channel} />}
      act={async (comment, _key, overwrite) => {
        await changeFreezes(channel, change, comment, overwrite);
        await onDone();
      }}
    >
      {window === null ? (
        <>
          <p>
            Until it ends, no release starts or grows in {channel.name}, and plans wait. You can take a
            release back, lower its share, and pause the channel.
          </p>
          <TextInput
            type="datetime-local"
            label="From"
            description="empty: now"
            value={from}
            onChange={({ currentTarget }) => setFrom(currentTarget.value)}
          />
          <TextInput
            type="datetime-local"
            label="To"
            required
            value={to}
            onChange={({ currentTarget }) => setTo(currentTarget.value)}
          />
          <TextInput
            label="Reason"
            value={reason}
            maxLength={500}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          <p className="small muted">
            {problem ?? `Ends ${exactly(new Date(end))}.`} There is no repetition: freeze each weekend on its
            own.
          </p>
        </>
      ) : (
        <p>
          {window.reason === null ? 'The freeze' : <q className="break">{window.reason}</q>} from{' '}
          {shortly(window.from)} to {shortly(window.to)}{' '}
          {isNow ? 'ends now: releases start and grow again, and plans go on.' : 'does not begin.'}
        </p>
      )}
    </ActionDialog>
  );
}

/** Another change of the channel came first: who did what. The dialog offers to do it all the same. */
function ChannelConflict({ channel: { appId, id } }: { channel: Channel }): ReactNode {
  const { data } = useQuery({ ...channelQuery(appId, id), staleTime: 0 });
  return (
    <Banner tone="warn">
      {data === undefined ? (
        'This changed after the page was read. Look at it again before you go on.'
      ) : (
        <>
          This changed after the page was read: <b>{personName(data.updatedBy)}</b> changed {data.name},{' '}
          <TimeAgo at={data.updatedAt} />
          {data.comment === null ? '.' : `: ${data.comment}`} Other freezes stay as they are now.
        </>
      )}
    </Banner>
  );
}
