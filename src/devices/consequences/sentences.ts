import { platformNames } from '../../common/native-maxima.js';
import type { VersionField } from '../../common/warnings/consequences.js';
import type { Counted, Warning, WarningRemedy } from '../../common/warnings/warning.js';
import { DEVICES_PER_SAMPLED } from '../devices/device.entity.js';
import type { ReleaseChannel } from '../releases/release-table.js';
import type { ActivePlan } from './consequences.queries.js';
import type { ConstraintCounts, LossReason, NativeVersion } from './fleet.js';

/** What a warning is about, besides devices. */
export interface WarnedBuild {
  readonly appId: string;
  /** `null`: it does not exist yet. */
  readonly buildId: string | null;
}

const SEEN = 'seen in the last 30 days';
const FIELDS = { android: 'Android', ios: 'Ios', electron: 'Electron' } as const;
/** Characters of a version that are shown: those of devices are theirs, and may be long. */
const SHOWN = 40;

/** Says which devices a constraint keeps from a build, and whether it names a version that no device has. */
export function constraintWarnings(
  counts: ConstraintCounts,
  build: WarnedBuild,
  counted: Counted,
): Warning[] {
  const { devices, excluded } = counts;
  if (devices === 0) return [];
  const exclusion = excluded === 0 ? [] : [exclusionWarning(counts, build, counted)];
  return excluded === devices ? exclusion : [...exclusion, ...unknownVersionWarning(counts, build, counted)];
}

function exclusionWarning(counts: ConstraintCounts, build: WarnedBuild, counted: Counted): Warning {
  const { platform, required, devices, excluded, mostExcluded } = counts;
  const whom = `${numberOf(excluded, counted)} of ${numberOf(devices, counted)} ${platformNames[platform]} devices`;
  const message = `${fieldOf(counts)} ${shown(required)} excludes ${whom} that were ${SEEN}.${reported(mostExcluded)}`;
  const how = { count: estimate(excluded, counted), counted };
  if (excluded < devices) return { code: 'constraint_excludes_devices', message, ...how };
  return { code: 'constraint_fits_no_device', message, ...how, remedy: constraintRemedy(counts, build) };
}

/** Both values that devices report, so that the one that was meant can be seen. */
function reported(version: NativeVersion | null): string {
  if (version === null) return '';
  const code = shown(version.code);
  if (version.name === '' || version.name === version.code)
    return ` Most of them report the version code ${code}.`;
  const name = shown(version.name);
  return ` Most of them report ${code} and ${name}: ${code} is a version code, ${name} a version name. Constraints are compared with version codes.`;
}

/** A minimum or maximum need not be the version of a device, but the version name of one is most likely meant as such. */
function unknownVersionWarning(counts: ConstraintCounts, build: WarnedBuild, counted: Counted): Warning[] {
  const { platform, bound, required, withCode, mostNamed } = counts;
  if (withCode > 0 || (bound !== 'eq' && mostNamed === null)) return [];
  const version = shown(required);
  const named =
    mostNamed === null
      ? ''
      : ` ${version} is a version name: devices that report it have the version code ${shown(mostNamed.code)}. Constraints are compared with version codes.`;
  const message = `No ${platformNames[platform]} device that was ${SEEN} has the version code ${version} of ${fieldOf(counts)}.${named}`;
  const how = { count: 0, counted, remedy: constraintRemedy(counts, build) };
  return [{ code: 'native_version_unknown', message, ...how }];
}

function fieldOf({ bound, platform }: ConstraintCounts): VersionField {
  return `${bound}${FIELDS[platform]}AppVersionCode`;
}

function constraintRemedy(counts: ConstraintCounts, { appId, buildId }: WarnedBuild): WarningRemedy {
  const field = fieldOf(counts);
  return {
    operationId: 'Builds_update',
    parameters: { appId, ...(buildId === null ? {} : { buildId }), [field]: null },
    sentence: `Set ${field} to a version code that devices report, or to null for none.`,
  };
}

/** @param devices that are blocked @param isAll whether these are all */
export function blockedWarning(appId: string, bundleId: string, devices: number, isAll: boolean): Warning[] {
  if (devices === 0) return [];
  const count = `${isAll ? '' : 'At least '}${formatted(devices)}`;
  const message = `${count} ${devices === 1 ? 'device has' : 'devices have'} rolled the bundle ${bundleId} back too often, and will not get it.`;
  const path = `/v1/apps/${appId}`;
  const sentence =
    `Offer it again with DELETE ${path}/bundles/${bundleId}/blocked-devices, or to one device with DELETE ${path}/devices/{deviceId}/blocked-bundles/${bundleId}. ` +
    'Plugins keep block lists of their own, too: publishing the content again as a new bundle passes both.';
  const remedy = { operationId: 'Rollbacks_offerAgain', parameters: { appId, bundleId }, sentence };
  const counted = { devices, sampled: !isAll };
  return [{ code: 'bundle_blocked', message, count: devices, counted, remedy }];
}

/** Says why a channel delivers nothing. */
export function channelStateWarnings(appId: string, channel: ReleaseChannel, now: Date): Warning[] {
  const { id: channelId, name, pausedAt, expiresAt } = channel;
  if (pausedAt !== null) {
    const message = `The channel ${name} is paused: its devices get nothing until it is resumed.`;
    const sentence = 'Resume the channel.';
    const remedy = { operationId: 'Channels_resume', parameters: { appId, channelId }, sentence };
    return [{ code: 'channel_paused', message, remedy }];
  }
  if (expiresAt === null || expiresAt > now) return [];
  const message = `The channel ${name} expired at ${expiresAt.toISOString()}: its devices get nothing.`;
  const parameters = { appId, channelId, expiresAt: null };
  const sentence = 'Set expiresAt of the channel to a later time, or to null for none.';
  const remedy = { operationId: 'Channels_update', parameters, sentence };
  return [{ code: 'channel_expired', message, remedy }];
}

/** @param isOwn whether a change of its percentage ends it, not a newer deployment */
export function planWarning({ deploymentId, state }: ActivePlan, isOwn: boolean): Warning {
  const which = `The rollout plan of ${isOwn ? 'this deployment' : `the deployment ${deploymentId}`}, which is ${state}, ends`;
  const message = isOwn
    ? `${which}: its percentage is changed by hand.`
    : `${which} as soon as this deployment is live.`;
  return { code: 'rollout_plan_ends', message };
}

/** A deployment that waits for approvals, and that a newer one for all devices makes useless. */
export function approvalWarning(appId: string, deploymentId: string): Warning {
  const message = `The deployment ${deploymentId} still waits for approvals. As soon as this newer one is live, it reaches no device, even if it is approved.`;
  const sentence = 'Reject it, or deploy its build again later.';
  const remedy = { operationId: 'Approvals_reject', parameters: { appId, deploymentId }, sentence };
  return { code: 'approval_outdated', message, remedy };
}

/** @param newerId what devices get instead @param target what to deploy again @param devices of the channel */
export function hiddenWarning(
  newerId: string,
  target: { readonly appId: string; readonly appBuildId: string; readonly appChannelId: string },
  devices: number,
  counted: Counted,
): Warning {
  const whom = devices === 0 ? 'all devices' : `the ${numberOf(devices, counted)} devices that were ${SEEN}`;
  const message = `This changes nothing for devices: the deployment ${newerId} is newer and comes first for ${whom}.`;
  const sentence = 'Deploy the build again, so that it is the newest.';
  const remedy = { operationId: 'Deployments_create', parameters: target, sentence };
  return { code: 'hidden_by_newer', message, count: estimate(devices, counted), counted, remedy };
}

/** What `updates_end` says of each reason, after "n devices that were seen". */
const LOSSES: Partial<Record<LossReason, (name: string) => string>> = {
  'channel-not-found': (name) =>
    `ask for the channel by its name ${name}, and get nothing as soon as it has another`,
  'channel-expired': (name) => `get nothing any more, because the channel ${name} has expired`,
  'no-acceptable-deployment': (name) =>
    `get nothing any more, because no deployment to the channel ${name} is left for them`,
};

/** @param losses devices that get an update now and none after the change of a channel, by the reason */
export function lossWarnings(
  appId: string,
  { id: channelId, name }: ReleaseChannel,
  losses: ReadonlyMap<LossReason, number>,
  counted: Counted,
): Warning[] {
  return [...losses].map(([reason, devices]) => {
    const which = LOSSES[reason]?.(name) ?? 'get nothing any more';
    const message = `${capitalized(numberOf(devices, counted))} devices that were ${SEEN} ${which}.`;
    const sentence = 'Undo the change, or simulate it first.';
    const remedy = { operationId: 'Channels_update', parameters: { appId, channelId }, sentence };
    return { code: 'updates_end', message, count: estimate(devices, counted), counted, remedy } as const;
  });
}

/** @param outside how many of the forced devices are outside of the rollout of the newest deployment */
export function shareWarning(
  appId: string,
  channelName: string,
  { id: deploymentId, rolloutPercentage }: { readonly id: string; readonly rolloutPercentage: number },
  outside: number,
  devices: number,
): Warning {
  const percent = Number((rolloutPercentage * 100).toFixed(4));
  const message =
    `The newest deployment to the channel ${channelName} is at ${percent} %, and ${formatted(outside)} of ${formatted(devices)} devices are outside of it. ` +
    'A force chooses the channel of a device, not its bucket.';
  const parameters = { appId, deploymentId, rolloutPercentage: 1 };
  const sentence =
    'Raise the percentage, or force testers to a channel of their own that has the build at 100 %.';
  const remedy = { operationId: 'Deployments_update', parameters, sentence };
  return { code: 'channel_share', message, count: outside, counted: { devices, sampled: false }, remedy };
}

/** Says that something may be missing. */
export function notCountedWarning(appId: string, milliseconds: number): Warning {
  const message = `What this means for devices could not be found out, or not within ${milliseconds} milliseconds: warnings with counts may be missing.`;
  const sentence = 'Simulate the change, which takes longer.';
  return {
    code: 'not_counted',
    message,
    remedy: { operationId: 'Simulations_simulate', parameters: { appId }, sentence },
  };
}

function estimate(devices: number, { sampled }: Counted): number {
  return sampled ? devices * DEVICES_PER_SAMPLED : devices;
}

function numberOf(devices: number, counted: Counted): string {
  return `${counted.sampled ? 'about ' : ''}${formatted(estimate(devices, counted))}`;
}

function formatted(count: number): string {
  return count.toLocaleString('en-US');
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** A version as sentences show it. */
export function shown(version: string): string {
  const characters = [...version];
  return characters.length > SHOWN ? `${characters.slice(0, SHOWN).join('')}…` : version;
}
