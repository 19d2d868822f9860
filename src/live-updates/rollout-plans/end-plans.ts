import { sql } from '../../database/sql.js';

/** What ends a plan besides a person who aborts it. */
type Cause = 'share-changed' | 'superseded';

const ENDED = `state = 'aborted', state_since = now(), step_ends_at = NULL, next_check_at = NULL,
               frozen_until = NULL, updated_at = now()`;
const ACTIVE = `plan.state IN ('running', 'held')`;

/** Ends the plan of a deployment if it is running or held; the share stays as it is. */
export async function endPlanOf(deploymentId: string, reason: Cause): Promise<void> {
  await sql(
    `UPDATE rollout_plans AS plan SET reason = $2, ${ENDED} WHERE plan.deployment_id = $1 AND ${ACTIVE}`,
    [deploymentId, reason],
  );
}

/** Ends the plans of the older deployments of the channel, because this one is delivered from now on. */
export async function supersedePlans({ id }: { readonly id: string }): Promise<void> {
  const reason: Cause = 'superseded';
  await sql(
    `UPDATE rollout_plans AS plan SET reason = $2, ${ENDED}
       FROM deployments AS newer JOIN deployments AS older ON older.channel_id = newer.channel_id
      WHERE newer.id = $1 AND older.sequence < newer.sequence
        AND plan.deployment_id = older.id AND ${ACTIVE}`,
    [id, reason],
  );
}
