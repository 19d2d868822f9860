import {
  FIRST_VERSION_WITH_EMPTY_FILES,
  FIRST_VERSION_WITH_MANIFESTS,
  FIRST_VERSION_WITHOUT_CHECKSUM,
} from '../channel-decision/decision-request.js';
import type { DeploymentCheck, DeploymentStep, UpdateCheck } from '../channel-decision/decision.js';
import type { DeviceCheck } from '../channel-decision/device-decision.js';
import type { RemedyDto } from './remedy.dto.js';

/** Shares are rounded up to so many steps. */
const SHARE_STEPS = 10_000;

/** What would have to change for a check to pass that has failed. */
export function remedyFor(
  { check: name, required, actual }: DeploymentCheck,
  { deploymentId, bundleId }: DeploymentStep,
  check: DeviceCheck,
): RemedyDto {
  const { deviceId, platform, pluginVersion } = check;
  const has = `the device has ${actual === '' ? 'none' : actual}`;
  const change = (
    remedy: RemedyDto['remedy'],
    target: RemedyDto['target'],
    id: RemedyDto['id'],
    message: string,
  ): RemedyDto => ({ remedy, target, id, required, actual, message });
  switch (name) {
    case 'ready':
      return change('publish-bundle', 'bundle', bundleId, 'The bundle must be published.');
    case 'approved':
      return change(
        'approve-deployment',
        'deployment',
        deploymentId,
        'Other people must approve the deployment, as the channel requires.',
      );
    case 'rollout':
      return raiseRollout(deploymentId, typeof actual === 'number' ? actual : null);
    case 'min':
      return change(
        'raise-native-version',
        'device',
        deviceId,
        `The native version must be at least ${required}: ${has}.`,
      );
    case 'max':
      return change(
        'lower-native-version',
        'device',
        deviceId,
        `The native version must be at most ${required}: ${has}.`,
      );
    case 'eq':
      return change(
        'change-native-version',
        'device',
        deviceId,
        `The native version must not be ${required}, whose binary contains the code already.`,
      );
    case 'protection':
      return change(
        'sign-bundle',
        'bundle',
        bundleId,
        'The bundle must be signed, because the channel is protected.',
      );
    case 'expiry':
      return change('extend-bundle', 'bundle', bundleId, 'The bundle must expire later.');
    case 'damage':
      return change(
        'repair-bundle',
        'bundle',
        bundleId,
        'The damaged files of the bundle must be uploaded again, in any bundle.',
      );
    case 'empty-files':
      return updatePlugin(check, FIRST_VERSION_WITH_EMPTY_FILES, 'download empty files');
    case 'missing-checksum':
      return change(
        'register-checksum',
        'bundle',
        bundleId,
        `The bundle must be registered again with its checksum, or the plugin be ${FIRST_VERSION_WITHOUT_CHECKSUM} or newer: the device has ${pluginVersion}.`,
      );
    case 'rollback':
      return change(
        'offer-again',
        'device',
        deviceId,
        `The device has rolled the bundle back ${actual} ${actual === 1 ? 'time' : 'times'}: offer it again.`,
      );
    case 'downgrade':
      return change(
        'deploy',
        'device',
        deviceId,
        'A newer bundle is withheld, so the device keeps the one that it runs: deploy a newer one.',
      );
    case 'reuse':
      if (required === 'known') {
        return change(
          'import-manifest',
          'device',
          deviceId,
          'Slipway does not know the bundle that the device runs: import its manifest, or set withholdFromUnknownBundles of the app to false.',
        );
      }
      return change(
        'change-files',
        'bundle',
        bundleId,
        'The device would reuse files of the bundle that it runs for others: change those files, or publish a zip.',
      );
    case 'type-support':
      return platform === 'electron'
        ? deployZip(bundleId)
        : updatePlugin(check, FIRST_VERSION_WITH_MANIFESTS, 'read manifests');
  }
}

/** The least share of four digits that the device is inside of. */
function raiseRollout(id: string, bucket: number | null): RemedyDto {
  const required = bucket === null ? 1 : (Math.floor(bucket * SHARE_STEPS) + 1) / SHARE_STEPS;
  const message =
    bucket === null
      ? 'The rollout must be 1: a device without id takes part in full rollouts only.'
      : `The rollout must be at least ${required}: the bucket of the device is ${truncated(bucket)}.`;
  return { remedy: 'raise-rollout', target: 'deployment', id, required, actual: bucket, message };
}

function truncated(bucket: number): number {
  return Math.floor(bucket * SHARE_STEPS) / SHARE_STEPS;
}

function deployZip(id: string): RemedyDto {
  return {
    remedy: 'support-type',
    target: 'bundle',
    id,
    required: 'zip',
    actual: 'manifest',
    message: 'The bundle must be a zip: the Electron SDK reads no manifests.',
  };
}

/** @param purpose what older versions cannot do */
function updatePlugin(
  { deviceId: id, pluginVersion: actual }: Pick<UpdateCheck, 'deviceId' | 'pluginVersion'>,
  required: string,
  purpose: string,
): RemedyDto {
  return {
    remedy: 'support-type',
    target: 'device',
    id,
    required,
    actual,
    message: `The plugin must be ${required} or newer to ${purpose}, or the bundle a zip: the device has ${actual}.`,
  };
}
