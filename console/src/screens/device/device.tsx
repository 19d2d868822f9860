import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { decisionQuery, deviceQuery, isAddressable } from '../../api/devices';
import type { Decision, Device } from '../../api/types';
import { useAccount } from '../../app/account';
import { CommandDialog, quote } from '../../parts/command';
import { FailedScreen, FailureNote, NoSuchApp } from '../../parts/failure';
import { type Action, Banner, EmptyState, Page, RowsSkeleton, Section } from '../../parts/page';
import { StatusBadge } from '../../parts/status';
import { DecisionSteps } from './decision-steps';
import { DeleteDialog, ForceDialog } from './device-dialogs';
import { DeviceFacts } from './device-facts';
import { History } from './history';
import { isMissed, outcomeOf, Says } from './outcome';
import { Remedies } from './remedies';

/** One device: what it runs, what it gets and why not something newer, and what would help. */
export function DeviceScreen(): ReactNode {
  const { appId } = useParams({ from: '/apps/$appId/devices' });
  const { id = '' } = useSearch({ from: '/apps/$appId/devices' });
  const device = useQuery(deviceQuery(appId, id));
  const { appOf } = useAccount();
  if (appOf(appId) === null) return <NoSuchApp />;
  if (device.error !== null && device.data === undefined) {
    return <FailedScreen error={device.error} onRetry={() => void device.refetch()} what="device" />;
  }
  if (device.data === undefined) {
    return (
      <Page title="Device" crumb={<Crumb appId={appId} />}>
        <RowsSkeleton rows={2} />
        <RowsSkeleton rows={3} />
      </Page>
    );
  }
  if (device.data === null) return <UnknownDevice appId={appId} id={id} />;
  return <KnownDevice device={device.data} id={id} error={device.error} />;
}

function Crumb({ appId }: { appId: string }): ReactNode {
  return (
    <Link to="/apps/$appId/devices" params={{ appId }}>
      Devices
    </Link>
  );
}

/** It never asked, or was deleted while its page was open: then it is known again with its next check, and shows here. */
function UnknownDevice({ appId, id }: { appId: string; id: string }): ReactNode {
  return (
    <Page title="Device" crumb={<Crumb appId={appId} />} status={<StatusBadge status="unknown" />}>
      <EmptyState
        title="No device with this id is known"
        action={
          <Link className="button" to="/apps/$appId/devices" params={{ appId }} search={{ query: id }}>
            Search devices for it
          </Link>
        }
      >
        <p className="mono break bidi">{id}</p>
        It never asked this server for updates, or it was deleted. It shows here within seconds of its next
        check.
      </EmptyState>
    </Page>
  );
}

function KnownDevice({
  device,
  id,
  error,
}: {
  device: Device;
  /** As the device chose it. */
  id: string;
  error: Error | null;
}): ReactNode {
  const { appId, customId } = device;
  const decision = useQuery(decisionQuery(appId, device));
  const [dialog, setDialog] = useState<'force' | 'unforce' | 'delete' | 'command' | null>(null);
  const navigate = useNavigate();
  const { can } = useAccount();
  const close = (): void => setDialog(null);
  return (
    <Page
      title={customId ?? device.id}
      crumb={<Crumb appId={appId} />}
      status={decision.data === undefined ? null : <StatusBadge status={outcomeOf(device, decision.data)} />}
      says={decision.data === undefined ? null : <Says device={device} decision={decision.data} />}
      actions={actions()}
      banners={
        <>
          {isAddressable(id) ? null : (
            <Banner tone="warn">
              This id cannot stand in the path of an address, so the API does not say what the device gets.
              Such ids were possible in former versions. Everything else works.
            </Banner>
          )}
          <FailureNote
            error={error ?? decision.error}
            onRetry={() => void decision.refetch()}
            what="device"
          />
        </>
      }
    >
      <div className="two">
        <div>
          {decision.data === undefined ? (
            isAddressable(id) && decision.error === null ? (
              <RowsSkeleton rows={2} />
            ) : null
          ) : (
            <Decided device={device} decision={decision.data} />
          )}
          <History device={device} />
        </div>
        <DeviceFacts device={device} />
      </div>
      {dialog === 'force' ? <ForceDialog device={device} onClose={close} /> : null}
      {dialog === 'unforce' ? <ForceDialog device={device} toItsOwn onClose={close} /> : null}
      {dialog === 'delete' ? (
        <DeleteDialog
          device={device}
          onDone={() => navigate({ to: '/apps/$appId/devices', params: { appId } })}
          onClose={close}
        />
      ) : null}
      <CommandDialog opened={dialog === 'command'} onClose={close} commands={commandsOf(device, id)} />
    </Page>
  );

  function actions(): Action[] {
    const command: Action = { label: 'As command', kind: 'more', onClick: () => setDialog('command') };
    if (!can(appId, 'devices:write')) return [command];
    return [
      ...(device.forcedAppChannelId === null
        ? []
        : [{ label: 'Stop forcing', onClick: () => setDialog('unforce') }]),
      { label: 'Force to a channel', onClick: () => setDialog('force') },
      command,
      { label: 'Delete the device', kind: 'more', onClick: () => setDialog('delete') },
    ];
  }
}

function Decided({ device, decision }: { device: Device; decision: Decision }): ReactNode {
  const [, other] = decision.goals;
  // Of a device that is forced elsewhere, the channel that it asks for counts only if it has something.
  const missed = decision.goals.filter(
    (goal) => isMissed(device, goal) && (goal !== other || goal.deployment !== null),
  );
  return (
    <>
      {missed.length === 0 ? null : (
        <Section title={missed[0] === decision.goals[0] ? 'What would help' : 'What else it could get'}>
          {missed.map((goal) => (
            <Remedies
              key={goal.channel?.id ?? 'none'}
              device={device}
              goal={goal}
              isOneOf={missed.length > 1}
            />
          ))}
        </Section>
      )}
      <DecisionSteps device={device} decision={decision} />
    </>
  );
}

function commandsOf({ appId, id: shown }: Device, id: string) {
  const path = `/v1/apps/${appId}/devices`;
  const query = `?id=${encodeURIComponent(id)}`;
  const cli = `--app-id ${appId} --device-id ${quote(id)}`;
  if (!isAddressable(id)) return [{ title: `The device ${shown}`, cli: null, path: path + query }];
  const own = `${path}/${encodeURIComponent(id)}`;
  return [
    { title: 'What it gets, and why', cli: null, path: `${own}/decision` },
    { title: 'What is known of it', cli: null, path: own },
    {
      title: 'Force it to the channel beta',
      cli: `apps:devices:forcechannel ${cli} --channel beta`,
      path: null,
    },
    {
      title: 'Let it have the channel that it asks for',
      cli: `apps:devices:unforcechannel ${cli}`,
      path: null,
    },
  ];
}
