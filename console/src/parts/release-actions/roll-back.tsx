import { Checkbox, NativeSelect, Radio } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { pauseChannel } from '../../api/channels';
import { changeShare, deploy } from '../../api/deployments';
import type { Channel } from '../../api/types';
import { ActionDialog } from '../action-dialog';
import { counted, exactly, percent } from '../format';
import { Banner } from '../page';
import {
  belowOf,
  constraintsOf,
  exclusions,
  freezeEnd,
  hasOpenPlan,
  type Release,
  releaseName,
  runningOf,
  wasRolledBack,
} from '../release';
import { useNow } from '../texts';
import { Conflict } from './conflict';
import { Effect } from './effect';

/** What the button says that opens the dialog: without an older release, there is nothing to go back to. */
export const rollBackLabel = (name: string, older: readonly Release[]): string =>
  older.length === 0 ? `Take ${name} back` : `Roll back ${name}`;

interface RollBackProps {
  readonly channel: Channel;
  readonly release: Release;
  /** Older releases of the channel, newest first. */
  readonly older: readonly Release[];
  /** Whether the reader may resume the channel, if it is paused. */
  readonly mayResume: boolean;
  readonly onDone: (undo: { buildId: string; name: string; comment: string }) => Promise<unknown>;
  readonly onClose: () => void;
}

/**
 * Two ways back. Taking a release back leaves what is below it, needs no approval and works in a freeze; deploying an older
 * build again makes that build the newest release, as any deployment.
 */
export function RollBackDialog({
  channel,
  release,
  older,
  mayResume,
  onDone,
  onClose,
}: RollBackProps): ReactNode {
  // As the person saw it: what others change after that is a conflict.
  const [{ deployment, name }] = useState(release);
  const now = useNow();
  const frozenUntil = freezeEnd(channel, now);
  const builds = older.filter(
    ({ deployment: { appBuildId } }, index) =>
      appBuildId !== deployment.appBuildId &&
      older.findIndex((other) => other.deployment.appBuildId === appBuildId) === index,
  );
  const lastGood = channel.lastGood?.appBuildId;
  const isHard = frozenUntil !== null || channel.requiredApprovals > 0;
  const [way, setWay] = useState<'deploy' | 'take-back'>(
    isHard || builds.length === 0 ? 'take-back' : 'deploy',
  );
  // A build that was rolled back is no way back.
  const wasBad = (index: number): boolean =>
    wasRolledBack([deployment, ...older.map((each) => each.deployment)], index + 1);
  const bad = new Set(older.filter((_, index) => wasBad(index)).map((each) => each.deployment.appBuildId));
  const isFine = ({ deployment: { appBuildId } }: Release): boolean => !bad.has(appBuildId);
  const [buildId, setBuildId] = useState(
    builds.some((each) => each.deployment.appBuildId === lastGood)
      ? lastGood
      : (builds.find(isFine) ?? builds[0])?.deployment.appBuildId,
  );
  const below = belowOf(older);
  const revived = below.find(({ release: each }) => !isFine(each));
  const isPaused = channel.pausedAt !== null;
  const [resume, setResume] = useState(true);
  const running = runningOf(deployment.health);
  const target = builds.find((each) => each.deployment.appBuildId === buildId);
  const refused =
    frozenUntil === null
      ? undefined
      : `The channel is frozen until ${exactly(frozenUntil)}: a new deployment would be refused.`;
  return (
    <ActionDialog
      title={`Roll back ${name}`}
      confirm={way === 'deploy' ? `Roll back to ${target?.name ?? ''}` : `Take ${name} back`}
      danger
      blocked={way === 'deploy' ? (target === undefined ? 'There is no older release.' : refused) : undefined}
      onClose={onClose}
      conflict={<Conflict appId={channel.appId} deploymentId={deployment.id} />}
      act={async (comment, key, overwrite) => {
        if (way === 'deploy' && buildId !== undefined)
          await deploy(channel.appId, channel.id, buildId, comment, key);
        else await changeShare(deployment, 0, comment, overwrite ? undefined : deployment.etag);
        if (isPaused && mayResume && resume) await pauseChannel(channel.appId, channel.id, false, comment);
        await onDone({ buildId: deployment.appBuildId, name, comment });
      }}
    >
      <Radio.Group
        value={way}
        onChange={(value) => setWay(value as typeof way)}
        aria-label="How to roll back"
      >
        <div className="stack">
          <Radio
            value="deploy"
            label={target === undefined ? 'Deploy an older build again' : `Deploy ${target.name} again`}
            disabled={builds.length === 0}
            description={
              builds.length === 0
                ? 'This channel had no other build.'
                : (refused ??
                  (channel.requiredApprovals > 0
                    ? `It becomes the newest release, and waits for the approval of ${channel.requiredApprovals} more.`
                    : `It becomes the newest release, for all devices. ${name} is superseded.`))
            }
          />
          {way === 'deploy' && builds.length > 0 ? (
            <NativeSelect
              ml={32}
              label="Build"
              value={buildId}
              onChange={({ currentTarget }) => setBuildId(currentTarget.value)}
              data={builds.map(({ deployment: { appBuildId, appBuild }, name: label }) => ({
                value: appBuildId,
                label:
                  appBuildId === lastGood
                    ? `${label} (the last good one)`
                    : bad.has(appBuildId)
                      ? `${label} (was rolled back)`
                      : appBuild === undefined || label === releaseName({ ...appBuild, displayName: null })
                        ? label
                        : `${label} · build ${appBuild.numberAsString}`,
              }))}
            />
          ) : null}
          <Radio
            value="take-back"
            label={`Take ${name} back`}
            description={`It stays the newest release, for 0 % of devices, until you raise it again; they get ${namesOf(below)}. Needs no approval, and works in a freeze.`}
          />
        </div>
      </Radio.Group>
      {way === 'deploy' || revived === undefined ? null : (
        <Banner tone="bad">
          <b>{revived.release.name} comes back.</b> It was rolled back, and {percent(revived.share)} of
          devices get it again. Deploy another build instead.
        </Banner>
      )}
      {way !== 'deploy' || target === undefined || constraintsOf(target) === '' ? null : (
        <p className="small muted">
          {target.name} is for {constraintsOf(target)}, as it was before.
        </p>
      )}
      {isPaused ? (
        <Banner tone="warn">
          <b>{channel.name} is paused.</b> {running === null ? 'Devices' : counted(running, 'device')} that
          run {name} go back only when it is resumed.
        </Banner>
      ) : null}
      {isPaused ? (
        mayResume ? (
          <Checkbox
            label={`Resume ${channel.name} with it`}
            checked={resume}
            onChange={({ currentTarget }) => setResume(currentTarget.checked)}
          />
        ) : null
      ) : way === 'deploy' && buildId === undefined ? null : (
        <Effect
          appId={channel.appId}
          change={
            way === 'deploy'
              ? { change: 'deploy', appBuildId: buildId!, appChannelId: channel.id }
              : { change: 'rollout', appDeploymentId: deployment.id, rolloutPercentage: 0 }
          }
          text={`devices no longer get ${name}`}
          // Also a build that devices have already is a new deployment: only those of this one get something else.
          devicesOf={({ deployments }) => {
            const own = deployments.find(({ appDeploymentId }) => appDeploymentId === deployment.id);
            return own === undefined ? 0 : own.before - own.after;
          }}
          without={OWN_REASONS}
        />
      )}
      <p className="small muted">
        {hasOpenPlan(release) ? `The plan of ${name} ends. ` : ''}
        {isPaused ? '' : `To only stop further updates, pause ${channel.name}: then no device goes back.`}
      </p>
    </ActionDialog>
  );
}

/** What devices get then, such as "2.4.1 (25 %) and 2.4.0". */
function namesOf(below: ReturnType<typeof belowOf>): string {
  const names = below.map(({ release: { name }, share }) =>
    share < 1 ? `${name} (${percent(share)})` : name,
  );
  if (names.length === 0) return 'nothing from this channel';
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Who does not get the older build is another question. */
const OWN_REASONS = Object.keys(exclusions);
