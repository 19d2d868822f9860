import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { destinationsQuery, submitBuild } from '../../api/builds';
import { channelsQuery } from '../../api/channels';
import { deploy } from '../../api/deployments';
import type { Build } from '../../api/types';
import { ActionDialog } from '../../parts/action-dialog';
import { platforms } from '../../parts/build';
import { FailureNote } from '../../parts/failure';
import { counted } from '../../parts/format';
import { Banner } from '../../parts/page';
import { Effect } from '../../parts/release-actions/effect';

interface DeployProps {
  readonly build: Build;
  readonly name: string;
  readonly onDone: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Sends a build to a channel, or a native one to a store. */
export function DeployDialog(props: DeployProps): ReactNode {
  return props.build.platform === 'web' ? <ToChannel {...props} /> : <ToStore {...props} />;
}

function ToChannel({ build: { appId, id }, name, onDone, onClose }: DeployProps): ReactNode {
  const channels = useQuery(channelsQuery(appId));
  const [chosen, setChosen] = useState('');
  const channel = channels.data?.find((each) => each.id === chosen) ?? null;
  return (
    <ActionDialog
      title={`Deploy ${name}`}
      confirm={channel === null ? 'Deploy' : `Deploy to ${channel.name}`}
      blocked={channel === null ? 'Choose a channel.' : undefined}
      onClose={onClose}
      act={async (comment, key) => {
        await deploy(appId, chosen, id, comment, key);
        await onDone();
      }}
    >
      <Target
        label="Channel"
        value={chosen}
        onChange={setChosen}
        options={channels.data}
        error={channels.error}
        none="The app has no channel."
      />
      {channel === null ? null : (
        <>
          <Effect
            appId={appId}
            change={{ change: 'deploy', appBuildId: id, appChannelId: channel.id }}
            text={`devices get ${name}`}
            devicesOf={({ total }) => total.receiving}
            without={['other-channel', 'forced-elsewhere', 'no-default-channel', 'channel-not-found']}
          />
          {channel.requiredApprovals > 0 ? (
            <Banner tone="info">
              It waits for {counted(channel.requiredApprovals, 'approval')} before any device gets it.
            </Banner>
          ) : null}
        </>
      )}
    </ActionDialog>
  );
}

function ToStore({ build: { appId, id, platform }, name, onDone, onClose }: DeployProps): ReactNode {
  const destinations = useQuery(destinationsQuery(appId));
  const [chosen, setChosen] = useState('');
  const fitting = destinations.data?.filter((each) => each.platform === platform);
  const destination = fitting?.find((each) => each.id === chosen) ?? null;
  return (
    <ActionDialog
      title={`Send ${name} to a store`}
      confirm={destination === null ? 'Send' : `Send to ${destination.name}`}
      blocked={destination === null ? 'Choose a destination.' : undefined}
      onClose={onClose}
      act={async (comment, key) => {
        await submitBuild(appId, chosen, id, comment, key);
        await onDone();
      }}
    >
      <p>
        The server uploads it and asks the store for what the destination says. The release shows how far it
        is.
      </p>
      <Target
        label="Destination"
        value={chosen}
        onChange={setChosen}
        options={fitting}
        error={destinations.error}
        none={`The app has no destination for ${platforms[platform]}.`}
      />
    </ActionDialog>
  );
}

interface TargetProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (id: string) => void;
  /** `undefined`: on their way. */
  readonly options: readonly { readonly id: string; readonly name: string }[] | undefined;
  readonly error: Error | null;
  /** What is said when there are none. */
  readonly none: string;
}

function Target({ label, value, onChange, options, error, none }: TargetProps): ReactNode {
  return (
    <div>
      <label htmlFor="target">{label}</label>
      <select
        id="target"
        className="select"
        data-autofocus
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        <option value="">{options === undefined && error === null ? 'On their way' : 'Choose one'}</option>
        {(options ?? []).map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {options?.length === 0 ? <div className="field-hint">{none}</div> : null}
      <FailureNote error={error} />
    </div>
  );
}
