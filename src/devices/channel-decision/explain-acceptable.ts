import { newestFirst } from '../releases/release-index.js';
import type { ReleaseChannel, ReleaseDeployment } from '../releases/release-table.js';
import { isRetired } from './conditions.js';
import type { DeploymentCheck, TraceCollector } from './decision.js';
import type { DecisionRequest } from './decision-request.js';
import { CHECKS, isWithheld, REUSE } from './deployment-checks.js';

/** As `findAcceptable`, with a step for each deployment that it looks at, newest first. */
export function explainAcceptable(
  channel: ReleaseChannel,
  request: DecisionRequest,
  trace: TraceCollector,
): ReleaseDeployment | null {
  request.isProtected = isRetired(channel, request);
  for (const deployment of newestFirst(channel)) {
    if (explainChecks(deployment, channel, request, trace)) return deployment;
    request.isProtected ||= isWithheld(deployment, channel, request);
  }
  return null;
}

/**
 * Makes every check, also after one has failed, so that the trace names all obstacles at once.
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
  trace.push({
    step: 'deployment',
    outcome: checks.every(({ passed }) => passed) ? 'accepted' : 'rejected',
    deploymentId: deployment.id,
    bundleId: deployment.bundle.id,
    createdAt: deployment.createdAt.toISOString(),
    checks,
  });
  return checks.every(({ check, passed }) => passed || check === REUSE.name);
}
