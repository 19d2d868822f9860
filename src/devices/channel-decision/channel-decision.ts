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
import { CHECKS, type DecisionRequest, isWithheld, REUSE } from './deployment-checks.js';
import { channelNamed, channelWithId, newestFirst } from '../releases/release-index.js';
import type { ReleaseChannel, ReleaseDeployment, ReleaseTable } from '../releases/release-table.js';

/**
 * Decides which deployment a device is offered. The first rule that applies selects the channel: the one
 * forced on the device, the one it requests, the default. Of a channel that delivers, the newest deployment
 * that passes every check is served.
 *
 * A requested channel that does not exist ends the decision, so that a typo cannot put a test device on
 * production. A forced channel that does not exist any more is ignored.
 *
 * @param table - releases of the app; must not change afterwards, since its sorted form is remembered, but for the counts
 *   of roll-backs
 * @param check - what the device reports
 * @param now - current instant, which expiry is compared with
 * @param trace - receives every step; leave it out on the hot path, the decision is the same
 * @returns the decision; it never depends on the order of channels and deployments in the table
 */
export function decide(table: ReleaseTable, check: UpdateCheck, now: Date, trace?: TraceCollector): Decision {
  const request = normalize(table, check, now);
  if (trace) {
    const { now: _now, isProtected: _isProtected, rollbacks: _rollbacks, ...reported } = request;
    trace.push({ step: 'request', ...reported });
  }

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

  request.isProtected = request.bundleId !== null && channel.retiredBundles.has(request.bundleId);
  for (const deployment of newestFirst(channel)) {
    const acceptable = trace
      ? explainChecks(deployment, channel, request, trace)
      : CHECKS.every(({ passes }) => passes(deployment, channel, request));
    if (acceptable) {
      return REUSE.passes(deployment, channel, request)
        ? finish('served', channel, deployment)
        : finish('unsafe-reuse', channel);
    }
    request.isProtected ||= isWithheld(deployment, channel, request);
  }
  return finish('no-acceptable-deployment', channel);
}

const NO_STEPS: readonly TraceStep[] = Object.freeze([]);

function normalize({ rollbacks }: ReleaseTable, check: UpdateCheck, now: Date): DecisionRequest {
  return {
    deviceId: check.deviceId || null,
    channelName: check.channelName?.trim() || null,
    platform: check.platform,
    appVersionCode: check.appVersionCode,
    pluginVersion: check.pluginVersion,
    runtime: check.runtime || null,
    bundleId: check.bundleId?.toLowerCase() || null,
    now,
    isProtected: false,
    rollbacks,
  };
}

function selectChannel(
  table: ReleaseTable,
  request: DecisionRequest,
  trace?: TraceCollector,
): ReleaseChannel | null {
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

/**
 * Runs every check, also after one has failed, so that the trace names all obstacles at once.
 *
 * @returns whether the deployment is acceptable, safe or not
 */
function explainChecks(
  deployment: ReleaseDeployment,
  channel: ReleaseChannel,
  request: DecisionRequest,
  trace: TraceCollector,
): boolean {
  const checks = [...CHECKS, REUSE].map(({ name, passes, compared }): DeploymentCheck => {
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
  return CHECKS.every(({ passes }) => passes(deployment, channel, request));
}
