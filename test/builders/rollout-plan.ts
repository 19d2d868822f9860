import { query } from '../setup/databases.js';
import { testEnvironment } from '../setup/test-environment.js';
import type { TestApp } from './app.js';
import type { Site } from './identities.js';

/** A rollout plan as the API shows it. */
export interface TestPlan {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly storeMessage: string | null;
  readonly stepIndex: number | null;
  readonly stepStartedAt: string | null;
  readonly stepEndsAt: string | null;
}

/**
 * Gives a deployment a plan of three steps, and takes actions with it.
 *
 * @param actions such as `start`, one after the other
 */
export async function putPlan(
  app: TestApp,
  deploymentId: string,
  values: object = {},
  ...actions: readonly string[]
): Promise<TestPlan> {
  const path = `${app.path}/deployments/${deploymentId}/rollout-plan`;
  const steps = [
    { percentage: 0.1, durationMinutes: 60 },
    { percentage: 0.5, durationMinutes: 60 },
    { percentage: 1 },
  ];
  let response = await app.api.put(path, { steps, ...values });
  for (const action of actions) {
    if (response.status === 200) response = await app.api.post(`${path}/${action}`);
  }
  if (response.status !== 200) throw new Error(`No plan: ${response.text}`);
  return response.body as TestPlan;
}

/** Lets the step of a plan be over by now, and its job be due. */
export async function passStep(deploymentId: string, site: Site = testEnvironment()): Promise<void> {
  await query(
    site.databaseUrl,
    `UPDATE rollout_plans SET step_ends_at = now() - interval '1 hour', next_check_at = now() - interval '1 hour'
      WHERE deployment_id = $1 AND state = 'running'`,
    [deploymentId],
  );
  await lookNow(deploymentId, site);
}

/** Lets the job of a plan be due, though its step is not over. */
export async function lookNow(deploymentId: string, site: Site = testEnvironment()): Promise<void> {
  await query(
    site.databaseUrl,
    `UPDATE rollout_plans SET next_check_at = now() WHERE deployment_id = $1 AND state = 'running'`,
    [deploymentId],
  );
  await query(
    site.databaseUrl,
    `UPDATE queue.job SET start_after = now()
      WHERE name = 'rollout-plans' AND state IN ('created', 'retry')
        AND data ->> 'planId' = (SELECT id::text FROM rollout_plans WHERE deployment_id = $1)`,
    [deploymentId],
  );
}
