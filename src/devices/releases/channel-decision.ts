import { compareSemver } from '../../common/versions/compare-versions.js';
import type {
  ChannelRuleStep,
  ChannelStateStep,
  Decision,
  DecisionReason,
  DeploymentCheck,
  TraceCollector,
  TraceStep,
  UpdateCheck,
} from './decision.js';
import { channelNamed, channelWithId, newestFirst } from './release-index.js';
import type { ReleaseChannel, ReleaseDeployment, ReleaseTable, VersionConstraint } from './release-table.js';
import { bucket, isInRollout } from './rollout.js';
import { satisfiesEq, satisfiesMax, satisfiesMin } from './version-constraint.js';

/** First Capacitor plugin that reads manifests. */
export const FIRST_VERSION_WITH_MANIFESTS = '6.5.0';

/**
 * Decides which deployment a device is offered. The first rule that applies selects the channel: the one
 * forced on the device, the one it requests, the default. Of a channel that delivers, the newest deployment
 * that passes every check is served.
 *
 * A requested channel that does not exist ends the decision, so that a typo cannot put a test device on
 * production. A forced channel that does not exist any more is ignored.
 *
 * @param table - releases of the app; must not change afterwards, since its sorted form is remembered
 * @param check - what the device reports
 * @param now - current instant, which expiry is compared with
 * @param trace - receives every step; leave it out on the hot path, the decision is the same
 * @returns the decision; it never depends on the order of channels and deployments in the table
 */
export function decide(table: ReleaseTable, check: UpdateCheck, now: Date, trace?: TraceCollector): Decision {
  const request = normalize(check);
  trace?.push({ step: 'request', ...request });

  const finish = (
    reason: DecisionReason,
    channel: ReleaseChannel | null,
    deployment: ReleaseDeployment | null = null,
  ): Decision => {
    const deploymentId = deployment?.id ?? null;
    trace?.push({ step: 'result', outcome: reason, channelId: channel?.id ?? null, deploymentId });
    return { channel, deployment, reason, trace: trace ?? NO_STEPS };
  };

  const channel = selectChannel(table, request, trace);
  if (channel === null) {
    return finish(request.channelName === null ? 'no-default-channel' : 'channel-not-found', null);
  }
  const state = channelState(channel, now);
  trace?.push({
    step: 'channel-state',
    outcome: state,
    channelId: channel.id,
    pausedAt: channel.pausedAt?.toISOString() ?? null,
    expiresAt: channel.expiresAt?.toISOString() ?? null,
    now: now.toISOString(),
  });
  if (state !== 'delivering') return finish(`channel-${state}`, channel);

  for (const deployment of newestFirst(channel)) {
    const acceptable = trace
      ? explainChecks(deployment, channel, request, trace)
      : CHECKS.every(({ passes }) => passes(deployment, channel, request));
    if (acceptable) return finish('served', channel, deployment);
  }
  return finish('no-acceptable-deployment', channel);
}

const NO_STEPS: readonly TraceStep[] = Object.freeze([]);

type Request = Required<UpdateCheck>;

function normalize(check: UpdateCheck): Request {
  return {
    deviceId: check.deviceId || null,
    channelName: check.channelName?.trim() || null,
    platform: check.platform,
    appVersionCode: check.appVersionCode,
    pluginVersion: check.pluginVersion,
    runtime: check.runtime || null,
  };
}

function selectChannel(table: ReleaseTable, request: Request, trace?: TraceCollector): ReleaseChannel | null {
  const { deviceId, channelName } = request;

  const forcedId = deviceId === null ? null : (table.forcedChannelIds.get(deviceId) ?? null);
  const forced = channelWithId(table, forcedId);
  trace?.push(channelRule('forced', forcedId, forced));
  if (forced !== null) return forced;

  const requested = channelName === null ? null : channelNamed(table, channelName);
  trace?.push(channelRule('requested', channelName, requested));
  if (channelName !== null) return requested;

  const fallback = channelWithId(table, table.defaultChannelId);
  trace?.push(channelRule('default', table.defaultChannelId, fallback));
  return fallback;
}

function channelRule(
  rule: ChannelRuleStep['rule'],
  value: string | null,
  channel: ReleaseChannel | null,
): ChannelRuleStep {
  const outcome = value === null ? 'not-set' : channel === null ? 'not-found' : 'selected';
  return { step: 'channel-rule', rule, outcome, value, channelId: channel?.id ?? null };
}

function channelState(channel: ReleaseChannel, now: Date): ChannelStateStep['outcome'] {
  if (channel.pausedAt !== null) return 'paused';
  if (channel.expiresAt !== null && channel.expiresAt.getTime() <= now.getTime()) return 'expired';
  return 'delivering';
}

interface Check {
  readonly name: DeploymentCheck['check'];
  passes(deployment: ReleaseDeployment, channel: ReleaseChannel, request: Request): boolean;
  /** The two values for the trace: what is required and what was found. */
  compared(
    deployment: ReleaseDeployment,
    channel: ReleaseChannel,
    request: Request,
  ): [required: DeploymentCheck['required'], actual: DeploymentCheck['actual']];
}

/** A deployment is acceptable when all of these pass. */
const CHECKS: readonly Check[] = [
  {
    name: 'ready',
    passes: ({ bundle }) => bundle.status === 'ready',
    compared: ({ bundle }) => ['ready', bundle.status],
  },
  {
    name: 'approved',
    passes: ({ approvalStatus }) => approvalStatus === 'approved',
    compared: ({ approvalStatus }) => ['approved', approvalStatus],
  },
  {
    name: 'rollout',
    passes: ({ id, rolloutPercentage }, _, { deviceId }) => isInRollout(id, deviceId, rolloutPercentage),
    compared: ({ id, rolloutPercentage }, _, { deviceId }) => [
      rolloutPercentage,
      deviceId === null ? null : bucket(id, deviceId),
    ],
  },
  versionCheck('min', satisfiesMin),
  versionCheck('max', satisfiesMax),
  versionCheck('eq', satisfiesEq),
  {
    name: 'protection',
    passes: ({ bundle }, channel) => channel.protectedAt === null || bundle.signed,
    compared: ({ bundle }, channel) => [
      channel.protectedAt === null ? null : 'signed',
      bundle.signed ? 'signed' : 'unsigned',
    ],
  },
  {
    name: 'type-support',
    passes: ({ bundle }, _, request) => bundle.artifactType === 'zip' || readsManifests(request),
    compared: ({ bundle }, _, request) => [readsManifests(request) ? null : 'zip', bundle.artifactType],
  },
];

function versionCheck(name: keyof VersionConstraint, satisfies: typeof satisfiesMin): Check {
  return {
    name,
    passes: ({ constraints }, _, { appVersionCode, platform }) =>
      satisfies(appVersionCode, constraints[platform], platform),
    compared: ({ constraints }, _, { appVersionCode, platform }) => [
      constraints[platform][name],
      appVersionCode,
    ],
  };
}

/** Runs every check, also after one has failed, so that the trace names all obstacles at once. */
function explainChecks(
  deployment: ReleaseDeployment,
  channel: ReleaseChannel,
  request: Request,
  trace: TraceCollector,
): boolean {
  const checks = CHECKS.map(({ name, passes, compared }): DeploymentCheck => {
    const [required, actual] = compared(deployment, channel, request);
    return { check: name, passed: passes(deployment, channel, request), required, actual };
  });
  const accepted = checks.every(({ passed }) => passed);
  trace.push({
    step: 'deployment',
    outcome: accepted ? 'accepted' : 'rejected',
    deploymentId: deployment.id,
    bundleId: deployment.bundle.id,
    createdAt: deployment.createdAt.toISOString(),
    checks,
  });
  return accepted;
}

/**
 * The Electron client reads archives only, Capacitor plugins learned manifests in 6.5.0. The Cordova plugin
 * has always read them and counts its own versions from 0.1.0. Versions that cannot be read are taken for
 * modern ones.
 */
function readsManifests({ platform, pluginVersion, runtime }: Request): boolean {
  if (platform === 'electron') return false;
  if (runtime === 'cordova') return true;
  const order = compareSemver(pluginVersion, FIRST_VERSION_WITH_MANIFESTS);
  return order === null || order >= 0;
}
