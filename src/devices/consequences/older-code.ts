import { compareVersions } from '../../common/compare-versions.js';
import { type NativeMaxima, platformNames } from '../../common/native-maxima.js';
import type { Warning } from '../../common/warnings/warning.js';
import { isDelivered, newestForVersion } from '../channel-decision/newest-for-version.js';
import { channelWithId, newestFirst } from '../releases/release-index.js';
import type {
  Platform,
  ReleaseChannel,
  ReleaseDeployment,
  ReleaseTable,
  VersionConstraint,
} from '../releases/release-table.js';
import type { NativeBuild } from './consequences.queries.js';
import { shown } from './sentences.js';

/** Channels that are looked at where the app has no default channel. */
const MAX_CHANNELS = 3;
const PLATFORMS = ['android', 'ios', 'electron'] as const;

/** Says where devices that install a native build get web code that is older than it. */
export function olderCodeWarnings(
  table: ReleaseTable,
  { platform, createdAt, versionCode }: NativeBuild,
  now: Date,
): Warning[] {
  const { appId } = table;
  const version = versionCode === null ? 'this build' : `version code ${shown(versionCode)}`;
  return channelsOf(table).flatMap((channel) => {
    const deployment = newestForVersion(channel, platform, versionCode, now);
    if (deployment === undefined || deployment.createdAt >= createdAt) return [];
    const message =
      `${platformNames[platform]} devices that install ${version} get the deployment ${deployment.id} of the channel ${channel.name}, ` +
      'which is older than this build: older web code in a newer app.';
    const sentence =
      'Publish the web code of this build first, or keep what is deployed from new native versions: ' +
      'deploy it with maxNativeVersion "seen", and give the builds of older deployments a maximum, too.';
    const parameters = { appId, appChannelId: channel.id, maxNativeVersion: 'seen' };
    return [
      {
        code: 'older_web_code',
        message,
        remedy: { operationId: 'Deployments_create', parameters, sentence },
      } as const,
    ];
  });
}

/** The default channel; without one, the first channels that have deployments. */
function channelsOf(table: ReleaseTable): readonly ReleaseChannel[] {
  const channel = channelWithId(table, table.defaultChannelId);
  if (channel !== null) return [channel];
  return table.channels.filter(({ deployments }) => deployments.length > 0).slice(0, MAX_CHANNELS);
}

/**
 * Says which older deployment devices above the maxima of a new one get instead, unless its minimum shows that it is for
 * them.
 */
export function fallbackWarnings(
  appId: string,
  channel: ReleaseChannel,
  maxima: NativeMaxima,
  now: Date,
): Warning[] {
  const fallbacks = new Map<string, Platform[]>();
  for (const platform of PLATFORMS) {
    const fallback = fallbackAbove(maxima[platform], platform, channel, now);
    if (fallback !== null) fallbacks.set(fallback.id, [...(fallbacks.get(fallback.id) ?? []), platform]);
  }
  return [...fallbacks].map(([deploymentId, platforms]) => {
    const versions = platforms.map(
      (platform) => `${platformNames[platform]} ${shown(maxima[platform] ?? '')}`,
    );
    const message = `Devices with a native version above ${versions.join(' or ')} do not get this deployment, but the older one ${deploymentId} of the channel ${channel.name}, which has no such maximum.`;
    const sentence =
      'Give the builds of older deployments the same maximum, or set the percentages of these deployments to 0.';
    const remedy = {
      operationId: 'Deployments_update',
      parameters: { appId, deploymentId, rolloutPercentage: 0 },
      sentence,
    };
    return { code: 'older_web_code', message, remedy } as const;
  });
}

function fallbackAbove(
  maximum: string | null,
  platform: Platform,
  channel: ReleaseChannel,
  now: Date,
): ReleaseDeployment | null {
  if (maximum === null) return null;
  const isAbove = (version: string): boolean => compareVersions(version, maximum, platform) === 1;
  const goesBeyond = ({ max }: VersionConstraint): boolean => max === null || isAbove(max);
  const fallback = newestFirst(channel).find(
    (deployment) => isDelivered(deployment, now) && goesBeyond(deployment.constraints[platform]),
  );
  const min = fallback?.constraints[platform].min ?? null;
  return fallback === undefined || (min !== null && isAbove(min)) ? null : fallback;
}
