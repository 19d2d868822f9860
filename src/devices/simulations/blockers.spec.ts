import { checkNames } from '../channel-decision/decision.js';
import { remedyFor } from '../decisions/check-remedies.js';
import { reportedCheck } from '../decisions/reported-check.js';
import { remedies } from './blockers.js';

it.each(checkNames)('names the remedy for %s that explanations name', (name) => {
  const failure = { check: name, passed: false, required: null, actual: null };
  const step = {
    step: 'deployment',
    outcome: 'rejected',
    deploymentId: 'deployment',
    bundleId: 'bundle',
    createdAt: new Date(0).toISOString(),
    checks: [failure],
  } as const;
  const check = reportedCheck('device', {
    platform: 0,
    appVersionCode: '1',
    pluginVersion: '8.0.0',
    runtime: null,
    requestedChannelNames: [],
    bundleId: null,
  });
  expect(remedies[name]).toBe(remedyFor(failure, step, check).remedy);
});
