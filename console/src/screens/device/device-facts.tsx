import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Device } from '../../api/types';
import { systemOf } from '../../parts/device';
import { counted } from '../../parts/format';
import { IdText, TimeAgo } from '../../parts/texts';

/** Devices of one custom id that the API counts at most. */
const MAX_SAME = 100;

/** What a device is, as it reported with its last check. */
export function DeviceFacts({ device }: { device: Device }): ReactNode {
  const { appId, id, lastSeenAt, createdAt, osVersion, pluginVersion, runtime, country, bundleId } = device;
  const [system, app] = systemOf(device);
  const facts: [string, ReactNode][] = [
    ['Device id', <IdText id={id} name="the device" />],
    ['Custom id', <Person device={device} />],
    [
      'Seen',
      <>
        <TimeAgo at={lastSeenAt} />
        <span className="muted">
          , first <TimeAgo at={createdAt} />
        </span>
      </>,
    ],
    ['Channel', <Channels device={device} />],
    ['System', `${system} ${osVersion} · ${app}`],
    ['Plugin', [pluginVersion, runtime].filter(Boolean).join(' · ')],
    ['Country', country],
    [
      'Bundle',
      bundleId === null ? null : (
        <>
          <IdText id={bundleId} name="the bundle" />
          <br />
          <Link className="link" to="/apps/$appId/devices" params={{ appId }} search={{ bundle: bundleId }}>
            Devices that run it
          </Link>
        </>
      ),
    ],
  ];
  return (
    <div>
      <section>
        <dl className="card pad facts-list">
          {facts.map(([label, value]) =>
            value === null || value === '' ? null : (
              <div key={label}>
                <dt>{label}</dt>
                <dd className="break bidi">{value}</dd>
              </div>
            ),
          )}
        </dl>
      </section>
    </div>
  );
}

/** Who uses the device, as the app says; with the other devices of the same person. */
function Person({ device: { appId, customId, sameCustomId } }: { device: Device }): ReactNode {
  if (customId === null) return <span className="muted">none</span>;
  return (
    <>
      <span className="bidi">{customId}</span>
      {sameCustomId === null || sameCustomId < 2 ? null : (
        <>
          <br />
          <Link className="link" to="/apps/$appId/devices" params={{ appId }} search={{ customId }}>
            The same person has {counted(sameCustomId, 'device id')}
            {sameCustomId < MAX_SAME ? null : ' or more'}
          </Link>
        </>
      )}
    </>
  );
}

function Channels({ device }: { device: Device }): ReactNode {
  const { appId, appChannelId, appChannelName, forcedAppChannelId, forcedAppChannelName } = device;
  const link = (channelId: string | null, name: string | null): ReactNode =>
    channelId === null || name === null ? null : (
      <Link className="link" to="/apps/$appId/channels/$channelId" params={{ appId, channelId }}>
        {name}
      </Link>
    );
  const own = link(appChannelId, appChannelName) ?? <span className="muted">none that exists</span>;
  if (forcedAppChannelId === null) return own;
  return (
    <>
      forced to {link(forcedAppChannelId, forcedAppChannelName)}, asks for {own}
    </>
  );
}
