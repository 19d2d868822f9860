import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { blockersQuery } from '../../api/deployments';
import { FailureNote } from '../../parts/failure';
import { count } from '../../parts/format';
import { EmptyState, RowsSkeleton, Section } from '../../parts/page';
import { constraintsOf, exclusions, type Release } from '../../parts/release';
import { TimeAgo } from '../../parts/texts';

/** Which devices of the channel do not run a release, and why. @param onRaise `null`: the reader cannot raise it */
export function Blockers({
  release,
  onRaise,
}: {
  release: Release;
  onRaise: (() => void) | null;
}): ReactNode {
  const { appId, id } = release.deployment;
  const [asked, setAsked] = useState(false);
  const { data, error, refetch } = useQuery({ ...blockersQuery(appId, id), enabled: asked });
  if (!asked) {
    return (
      <Section title="Who lacks it, and why">
        <EmptyState
          title="Not counted yet"
          action={
            <button type="button" className="button" onClick={() => setAsked(true)}>
              Count the devices
            </button>
          }
        >
          Counts the devices of the channel that do not run {release.name}, with the reason of each. It takes
          some seconds.
        </EmptyState>
      </Section>
    );
  }
  if (error !== null) {
    return (
      <Section title="Who lacks it, and why">
        <FailureNote error={error} onRetry={() => void refetch()} />
      </Section>
    );
  }
  if (data === undefined) {
    return (
      <Section title="Who lacks it, and why">
        <RowsSkeleton rows={3} />
      </Section>
    );
  }
  const rows = [
    {
      key: 'next',
      title: 'Get it at the next check',
      text: 'Or got it, and have not started it yet.',
      devices: data.atNextCheck,
      canRaise: false,
    },
    {
      key: 'withheld',
      title: 'Went back too often',
      text: 'They do not get it again. A new bundle reaches them.',
      devices: data.withheld,
      canRaise: false,
    },
    ...data.blockers.map(({ reason, devices, remedy }) => {
      const [title, text] = exclusions[reason] ?? [reason, ''];
      return { key: reason, title, text, devices, canRaise: remedy === 'raise-rollout' };
    }),
  ].filter(({ devices }) => devices > 0);
  const constraints = constraintsOf(release);
  if (constraints !== '' && !data.blockers.some(({ reason }) => reason === 'min' || reason === 'max')) {
    const title = 'Native version does not fit';
    const text = `None: every device has one that the release is for (${constraints}).`;
    rows.push({ key: 'never', title, text, devices: 0, canRaise: false });
  }
  return (
    <Section
      title="Who lacks it, and why"
      note={
        <>
          {data.isExact ? '' : 'about '}
          {count(data.devices - data.running)} of {count(data.devices)} devices,{' '}
          <TimeAgo at={data.computedAt} />
        </>
      }
    >
      {rows.length === 0 ? (
        <EmptyState title="Every device of the channel runs it" />
      ) : (
        <div className="card">
          {rows.map(({ key, title, text, devices, canRaise }) => (
            <div className="row" key={key}>
              <div className="grow">
                <b>{title}</b>
                <div className="muted">{text}</div>
              </div>
              <div className="number">
                <b>{count(devices)}</b>
              </div>
              <div className="remedy">
                {canRaise && onRaise !== null ? (
                  <button type="button" className="button text" onClick={onRaise}>
                    Raise
                  </button>
                ) : devices > 0 && devices === data.devices ? (
                  // All devices of the channel: the list has a filter for these.
                  <Link
                    className="button text"
                    to="/apps/$appId/devices"
                    params={{ appId }}
                    search={{ channel: release.deployment.appChannelId ?? '', seen: data.seenSince }}
                  >
                    Show them
                  </Link>
                ) : null}
              </div>
            </div>
          ))}
        </div>
      )}
    </Section>
  );
}
