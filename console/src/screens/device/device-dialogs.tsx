import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { deleteDevice, forceChannel, realId } from '../../api/devices';
import { refreshApp } from '../../api/query-client';
import type { Channel, Device } from '../../api/types';
import { ActionDialog } from '../../parts/action-dialog';
import { Banner } from '../../parts/page';
import { ChannelChoice } from './channel-choice';

/** Forces a device to a channel, or no longer. @param toItsOwn to the channel that it asks for */
export function ForceDialog({
  device,
  toItsOwn = false,
  onClose,
}: {
  device: Device;
  toItsOwn?: boolean;
  onClose: () => void;
}): ReactNode {
  const { appId, appChannelId, appChannelName, forcedAppChannelId, forcedAppChannelName } = device;
  const usedId = forcedAppChannelId ?? appChannelId;
  const [channel, setChannel] = useState<Channel | null>(null);
  const client = useQueryClient();
  const confirm = toItsOwn ? 'Stop forcing' : `Force to ${channel?.name ?? 'a channel'}`;
  return (
    <ActionDialog
      title={toItsOwn ? `Stop forcing to ${forcedAppChannelName}` : 'Force to a channel'}
      confirm={confirm}
      withComment={false}
      blocked={
        toItsOwn || channel !== null
          ? channel?.id === forcedAppChannelId && !toItsOwn
            ? 'The device is forced to this channel already.'
            : undefined
          : 'Choose a channel.'
      }
      onClose={onClose}
      act={async () => {
        await forceChannel(appId, realId(device), toItsOwn ? null : channel!.id);
        await refreshApp(client, appId);
      }}
    >
      {toItsOwn ? (
        <p>
          This one device gets the releases of {appChannelName ?? 'the channel that it asks for'} again, with
          its next check.
        </p>
      ) : (
        <>
          <p>
            This one device gets the newest release of the channel that fits it and whose share it is among,
            whatever it asks for, until you stop forcing it. No other device changes.
          </p>
          <ChannelChoice appId={appId} channel={channel} usedId={usedId} onChange={setChannel} />
          {channel === null || channel.id !== usedId ? null : (
            <Banner tone="info">
              It uses this channel already: forcing it changes nothing. A release at a share below 100 %
              reaches it only if it is among that share.
            </Banner>
          )}
        </>
      )}
    </ActionDialog>
  );
}

/** Forgets a device and all that is known of it. */
export function DeleteDialog({
  device,
  onDone,
  onClose,
}: {
  device: Device;
  onDone: () => Promise<unknown>;
  onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  return (
    <ActionDialog
      title="Delete the device"
      confirm="Delete the device"
      danger
      withComment={false}
      onClose={onClose}
      act={async () => {
        await deleteDevice(device.appId, realId(device));
        await onDone();
        void refreshApp(client, device.appId);
      }}
    >
      <p>
        Deletes all data about this one device, with its roll-backs
        {device.forcedAppChannelName === null
          ? ''
          : ` and with its channel: it is no longer forced to ${device.forcedAppChannelName}`}
        . The device keeps what it runs, and is known again with its next check.
      </p>
    </ActionDialog>
  );
}
