import type pg from 'pg';

/** Devices of the channel; every fourth is offered the release that is held. */
export const HELD_DEVICES = 5600;

/** What its health check saw, and what the page of the release counts: nothing has changed since. */
const EVIDENCE = { offered: HELD_DEVICES / 4, applied: 1290, rolledBack: 40, notApplied: 12, blocked: 0 };

/** A release as its devices have it. */
interface Release {
  /** Of the bundle. */
  readonly id: string;
  readonly deploymentId: string;
}

/** Holds a release whose plan is at a quarter, by its health check, with the devices that made it do so. */
export async function holdRelease(
  client: pg.Client,
  app: { readonly id: string; readonly channel: string; readonly name: string },
  before: Release,
  held: Release,
): Promise<void> {
  const { offered, applied, rolledBack, notApplied } = EVIDENCE;
  await client.query(
    `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version,
                          country, requested_channel_names, channel_id, bundle_id, deployment_id, offered_at,
                          applied_at, rolled_back_at, last_seen_at, seen_days, created_at)
     SELECT $1::uuid, md5($2::uuid || ' device ' || n), n % 2, '210', '2.1.0', '34', '8.4.3',
            CASE n % 3 WHEN 0 THEN 'DE' ELSE 'FR' END, ARRAY[$3::text], $2::uuid,
            CASE WHEN rank > $9::int AND rank <= $8::int THEN $6::uuid ELSE $4::uuid END,
            CASE WHEN rank IS NULL THEN $5::uuid ELSE $7::uuid END,
            now() - CASE WHEN rank IS NULL THEN interval '20 days'
                         WHEN rank > $10::int - $11::int THEN interval '26 hours'
                         WHEN rank > $8::int THEN interval '3 hours'
                         ELSE interval '20 hours' END,
            CASE WHEN rank IS NULL THEN now() - interval '20 days'
                 WHEN rank <= $8::int THEN now() - interval '19 hours' END,
            CASE WHEN rank <= $9::int THEN now() - interval '3 hours' - rank * interval '10 minutes' END,
            now() - CASE WHEN rank IS NOT NULL OR n % 5 < 3 THEN (n % 40) * interval '1 minute'
                         ELSE (n % 28) * interval '1 day' END,
            (n::bigint * 7919) | 1, now() - interval '90 days'
       FROM generate_series(1, $12::int) AS n, LATERAL (SELECT CASE WHEN n % 4 = 0 THEN n / 4 END AS rank) AS ranked`,
    [
      app.id,
      app.channel,
      app.name,
      before.id,
      before.deploymentId,
      held.id,
      held.deploymentId,
      applied,
      rolledBack,
      offered,
      notApplied,
      HELD_DEVICES,
    ],
  );
  await client.query(
    `UPDATE rollout_plans
        SET state = 'held', reason = 'health-gate', state_since = now() - interval '2 hours', next_check_at = NULL,
            step_ends_at = NULL, observed_since = now() - interval '28 hours', evidence = $2
      WHERE deployment_id = $1`,
    [held.deploymentId, EVIDENCE],
  );
}
