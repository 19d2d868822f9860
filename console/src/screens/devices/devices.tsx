import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError } from '../../api/client';
import { type DeviceFilters, devicesQuery, realId } from '../../api/devices';
import type { Device } from '../../api/types';
import { useAccount } from '../../app/account';
import { CommandDialog, PointTheApp } from '../../parts/command';
import { runningName, systemOf } from '../../parts/device';
import { FailedScreen, FailureNote, NoSuchApp } from '../../parts/failure';
import { EmptyState, Page, RowsSkeleton } from '../../parts/page';
import { releaseName } from '../../parts/release';
import { StatusBadge } from '../../parts/status';
import { TimeAgo } from '../../parts/texts';
import { Filters } from './filters';

const FROM = '/apps/$appId/devices';

/** The devices of an app, last seen first. A device that checks in shows within seconds. */
export function DevicesScreen(): ReactNode {
  const { appId } = useParams({ from: FROM });
  const { cursor, ...search } = useSearch({ from: FROM });
  const { id: _, ...filters } = search;
  const navigate = useNavigate({ from: FROM });
  const { data, error, refetch, isPlaceholderData } = useQuery(devicesQuery(appId, filters, cursor));
  const [asCommand, setAsCommand] = useState(false);
  const { appOf } = useAccount();
  // A cursor is one of these filters, as they were that day.
  const isStale = cursor !== undefined && error instanceof ApiError && error.fields.has('cursor');
  useEffect(() => {
    if (isStale) void navigate({ search: filters, replace: true });
  });
  const app = appOf(appId);
  if (app === null) return <NoSuchApp />;
  if (error instanceof ApiError && (error.status === 403 || error.status === 404)) {
    return <FailedScreen error={error} onRetry={() => void refetch()} what="app" title="Devices" />;
  }
  const isNarrowed = Object.keys(filters).length > 0;
  return (
    <Page
      title="Devices"
      says="Those that asked this server for updates, last seen first. New checks show within seconds."
      actions={[{ label: 'As command', kind: 'more', onClick: () => setAsCommand(true) }]}
    >
      <Filters
        appId={appId}
        filters={filters}
        bundleName={data?.items[0] === undefined ? null : runningName(data.items[0])}
      />
      {error === null || isStale ? null : (
        <FailureNote
          error={error}
          onRetry={() => void refetch()}
          {...(data === undefined && { what: 'devices' })}
        />
      )}
      {data === undefined ? (
        error === null || isStale ? (
          <RowsSkeleton rows={8} height={60} />
        ) : null
      ) : data.items.length === 0 ? (
        <NoDevices appId={appId} appName={app.name} isNarrowed={isNarrowed || cursor !== undefined} />
      ) : (
        <DeviceTable appId={appId} devices={data.items} isOld={isPlaceholderData} />
      )}
      <Pages appId={appId} filters={filters} isFirst={cursor === undefined} next={data?.next ?? null} />
      <CommandDialog
        opened={asCommand}
        onClose={() => setAsCommand(false)}
        commands={[
          { title: 'The devices, page by page', cli: null, path: pathOf(appId, filters) },
          {
            title: 'What a device would get, which need not be known',
            cli: `apps:devices:probe --app-id ${appId} --device-id my-phone`,
            path: null,
          },
        ]}
      />
    </Page>
  );
}

function pathOf(appId: string, { query, customId, channel, bundle, platform }: DeviceFilters): string {
  const names = { query, customId, appChannelId: channel, bundleId: bundle, platform };
  const values = Object.entries(names).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `/v1/apps/${appId}/devices?${new URLSearchParams([['cursor', 'first'], ...values])}`;
}

function DeviceTable({
  appId,
  devices,
  isOld,
}: {
  appId: string;
  devices: readonly Device[];
  /** Whether they are those of the filters before. */
  isOld: boolean;
}): ReactNode {
  return (
    <div className={`card ${isOld ? 'is-old' : ''}`}>
      <table className="rows devices">
        <thead>
          <tr>
            <th>Device</th>
            <th>Runs</th>
            <th>System</th>
            <th className="number">Seen</th>
          </tr>
        </thead>
        <tbody>
          {devices.map((device) => (
            <DeviceRow key={device.id} appId={appId} device={device} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function DeviceRow({ appId, device }: { appId: string; device: Device }): ReactNode {
  const { id, customId, appChannelName, forcedAppChannelName, lastSeenAt, osVersion } = device;
  const [system, app] = systemOf(device);
  return (
    <tr>
      <td>
        <Link className="whole" to={FROM} params={{ appId }} search={{ id: realId(device) }}>
          <b className="break bidi">{customId ?? id}</b>
        </Link>
        {customId === null ? null : <span className="muted mono bidi">{id}</span>}
      </td>
      <td>
        <b className="break">{runningName(device)}</b>
        <span className="muted break">
          {forcedAppChannelName === null
            ? (appChannelName ?? 'no channel')
            : `forced to ${forcedAppChannelName}`}
        </span>{' '}
        <Offer device={device} />
      </td>
      <td className="break">
        {`${system} ${osVersion}`} <span className="muted">{app}</span>
      </td>
      <td className="number">
        <TimeAgo at={lastSeenAt} />
      </td>
    </tr>
  );
}

/** What it was offered and does not run. */
function Offer({ device }: { device: Device }): ReactNode {
  const { offeredAppBuild: offered, appliedAt, rolledBackAt } = device;
  if (rolledBackAt !== null) return <StatusBadge status="wentBack" />;
  if (offered == null || appliedAt !== null || offered.id === device.appBuild?.id) return null;
  return (
    <span className="muted">
      · offered <span className="break">{releaseName(offered)}</span>
    </span>
  );
}

function NoDevices({
  appId,
  appName,
  isNarrowed,
}: {
  appId: string;
  appName: string;
  isNarrowed: boolean;
}): ReactNode {
  if (!isNarrowed) {
    return (
      <EmptyState title="No device has asked for updates yet">
        <PointTheApp appId={appId} />A device shows here within seconds of its first check.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={`No device of ${appName} matches`}
      action={
        <Link className="button" to={FROM} params={{ appId }}>
          Show all devices
        </Link>
      }
    >
      A device that never asked this server is not known. The id is what <code>getDeviceId()</code> of the
      plugin returns.
    </EmptyState>
  );
}

function Pages({
  appId,
  filters,
  isFirst,
  next,
}: {
  appId: string;
  filters: DeviceFilters;
  isFirst: boolean;
  next: string | null;
}): ReactNode {
  if (isFirst && next === null) return null;
  return (
    <nav className="actions end pages" aria-label="Pages">
      {isFirst ? null : (
        <Link className="button" to={FROM} params={{ appId }} search={filters}>
          Last seen
        </Link>
      )}
      {next === null ? null : (
        <Link className="button" to={FROM} params={{ appId }} search={{ ...filters, cursor: next }}>
          Seen before
        </Link>
      )}
    </nav>
  );
}
