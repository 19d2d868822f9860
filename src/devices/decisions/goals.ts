import type { DeploymentStep } from '../channel-decision/decision.js';
import { decideForDevice, type DeviceCheck } from '../channel-decision/device-decision.js';
import type { ReleaseChannel, ReleaseDeployment, ReleaseTable } from '../releases/release-table.js';
import { remedyFor } from './check-remedies.js';
import type { RemedyDto } from './remedy.dto.js';

/** What a device could get, and what prevents it. */
export interface Goal {
  /** `null`: the device asks for a channel that there is not. */
  readonly channel: ReleaseChannel | null;
  /** The newest deployment of the channel; `null`: nothing was deployed. */
  readonly deployment: ReleaseDeployment | null;
  /** Empty: the device gets it. With all of them carried out, it does. */
  readonly remedies: readonly RemedyDto[];
}

/**
 * The newest deployment of the channel that the device is served from; of one that is forced to another channel than
 * it asks for, also that of the channel it asks for.
 */
export function goalsOf(table: ReleaseTable, check: DeviceCheck, now: Date): Goal[] {
  const served = decideForDevice(table, check, () => now).channel;
  const unforced = { ...table, forcedChannelIds: new Map<string, string>() };
  const asked = decideForDevice(unforced, check, () => now).channel;
  const goals = [goalOf(table, served, check, now)];
  if (served === null || served.id === asked?.id) return goals;
  const goal = goalOf(unforced, asked, check, now);
  return [...goals, { ...goal, remedies: [unforce(check, served), ...goal.remedies] }];
}

function goalOf(table: ReleaseTable, channel: ReleaseChannel | null, check: DeviceCheck, now: Date): Goal {
  if (channel === null) return { channel, deployment: null, remedies: [missingChannel(table, check)] };
  const remedies: RemedyDto[] = [];
  if (channel.pausedAt !== null) remedies.push(resume(channel, channel.pausedAt));
  if (channel.expiresAt !== null && channel.expiresAt <= now)
    remedies.push(extend(channel, channel.expiresAt));
  const newest = newestStep(table, channel, check, now);
  if (newest === null) return { channel, deployment: null, remedies: [...remedies, deploy(channel)] };
  const failed = newest.checks.filter(({ passed }) => !passed);
  return {
    channel,
    deployment: channel.deployments.find(({ id }) => id === newest.deploymentId) ?? null,
    remedies: [...remedies, ...failed.map((failure) => remedyFor(failure, newest, check))],
  };
}

/** What the decision finds about the newest deployment, also when the channel delivers nothing. */
function newestStep(
  table: ReleaseTable,
  channel: ReleaseChannel,
  check: DeviceCheck,
  now: Date,
): DeploymentStep | null {
  const delivering = { ...channel, pausedAt: null, expiresAt: null };
  const channels = table.channels.map((other) => (other === channel ? delivering : other));
  const { trace } = decideForDevice({ ...table, channels }, check, () => now, []);
  return trace.find((step) => step.step === 'deployment') ?? null;
}

function missingChannel(table: ReleaseTable, { channelNames }: DeviceCheck): RemedyDto {
  const [required = null] = channelNames;
  if (required === null) {
    return {
      remedy: 'set-default-channel',
      target: 'app',
      id: table.appId,
      required,
      actual: null,
      message: 'The app must have a default channel, or the device ask for a channel.',
    };
  }
  return {
    remedy: 'create-channel',
    target: 'channel',
    id: null,
    required,
    actual: null,
    message: `The app must have the channel ${required}, or the device ask for another one.`,
  };
}

function unforce({ deviceId: id }: DeviceCheck, { name }: ReleaseChannel): RemedyDto {
  return {
    remedy: 'unforce-channel',
    target: 'device',
    id,
    required: null,
    actual: name,
    message: `The device is forced to the channel ${name}: force it no longer.`,
  };
}

function resume({ id, name }: ReleaseChannel, pausedAt: Date): RemedyDto {
  return {
    remedy: 'resume-channel',
    target: 'channel',
    id,
    required: null,
    actual: pausedAt.toISOString(),
    message: `The channel ${name} is paused: resume it.`,
  };
}

function extend({ id, name }: ReleaseChannel, expiresAt: Date): RemedyDto {
  const actual = expiresAt.toISOString();
  return {
    remedy: 'extend-channel',
    target: 'channel',
    id,
    required: null,
    actual,
    message: `The channel ${name} has expired: set expiresAt to a later time or to null.`,
  };
}

function deploy({ id, name }: ReleaseChannel): RemedyDto {
  return {
    remedy: 'deploy',
    target: 'channel',
    id,
    required: null,
    actual: null,
    message: `Nothing was deployed to the channel ${name}: deploy a build.`,
  };
}
