import { channelNamed, channelWithId } from '../releases/release-index.js';
import type { ReleaseChannel, ReleaseDeployment, ReleaseTable } from '../releases/release-table.js';
import { findAcceptable } from './acceptable-deployment.js';
import { isSafeReuse } from './conditions.js';
import type {
  ChannelRuleStep,
  ChannelStateStep,
  Decision,
  DecisionReason,
  RequestStep,
  TraceCollector,
  TraceStep,
  UpdateCheck,
} from './decision.js';
import { DecisionRequest } from './decision-request.js';
import { explainAcceptable } from './explain-acceptable.js';

/**
 * Decides which deployment a device is offered. The first rule that applies selects the channel: the one
 * forced on the device, the one it requests, the default. Of a channel that delivers, the newest deployment
 * that passes every check is served.
 *
 * A requested channel that does not exist ends the decision, so that a typo cannot put a test device on
 * production. A forced channel that no longer exists is ignored.
 *
 * @param table - releases of the app; must not change afterwards, since its sorted form is remembered, but for the
 *   counts of roll-backs
 * @param check - what the device reports
 * @param clock - reads the current instant, which expiry is compared with; not called where nothing expires
 * @param trace - receives every step; leave it out on the hot path, the decision is the same
 * @returns the decision; it never depends on the order of channels and deployments in the table
 */
export function decide(
  table: ReleaseTable,
  check: UpdateCheck,
  clock: () => Date,
  trace?: TraceCollector,
): Decision {
  const request = new DecisionRequest(table, check, clock);
  trace?.push(requestStep(request));
  const channel = selectChannel(table, request, trace);
  if (channel === null) {
    return finish(
      request.channelName === null ? 'no-default-channel' : 'channel-not-found',
      null,
      null,
      trace,
    );
  }
  const state = channelState(channel, request);
  trace?.push(channelStateStep(state, channel, request));
  if (state !== 'delivering') return finish(`channel-${state}`, channel, null, trace);

  const deployment =
    trace === undefined ? findAcceptable(channel, request) : explainAcceptable(channel, request, trace);
  if (deployment === null) return finish('no-acceptable-deployment', channel, null, trace);
  return isSafeReuse(deployment.bundle, request)
    ? finish('served', channel, deployment, trace)
    : finish('unsafe-reuse', channel, null, trace);
}

const NO_STEPS: readonly TraceStep[] = Object.freeze([]);

function finish(
  reason: DecisionReason,
  channel: ReleaseChannel | null,
  deployment: ReleaseDeployment | null,
  trace?: TraceCollector,
): Decision {
  const deploymentId = deployment?.id ?? null;
  trace?.push({ step: 'result', outcome: reason, channelId: channel?.id ?? null, deploymentId });
  return { channel, deployment, reason, trace: trace ?? NO_STEPS };
}

function requestStep(request: DecisionRequest): RequestStep {
  const { deviceId, channelName, platform, appVersionCode, pluginVersion, runtime, bundleId } = request;
  return {
    step: 'request',
    deviceId,
    channelName,
    platform,
    appVersionCode,
    pluginVersion,
    runtime,
    bundleId,
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

function channelState(
  { pausedAt, expiresAt }: ReleaseChannel,
  request: DecisionRequest,
): ChannelStateStep['outcome'] {
  if (pausedAt !== null) return 'paused';
  if (expiresAt !== null && expiresAt <= request.now) return 'expired';
  return 'delivering';
}

function channelStateStep(
  outcome: ChannelStateStep['outcome'],
  { id, pausedAt, expiresAt }: ReleaseChannel,
  { now }: DecisionRequest,
): ChannelStateStep {
  return {
    step: 'channel-state',
    outcome,
    channelId: id,
    pausedAt: pausedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    now: now.toISOString(),
  };
}
