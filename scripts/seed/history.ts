import { idOf, type Rows } from './rows.ts';

/** Days ago that device n was made: between no day and $4 - 1, so that there are more and more of them. */
const AGE = '(n * 7 % $4::int)';
/** 60 days, of which each was one with a check-in or not: `seen_days` of a device that has been there for long. */
const SEEN_DAYS = `('x' || substr(md5('seen ' || n), 1, 15))::bit(60)::bigint`;

/**
 * What has happened in the $4 days until now: when each device came and was seen, and how it responded to the newest of $5
 * deployments to the default channel, one of $6 + 1. Of 50 devices, one has rolled its bundle back and ten have not
 * applied it.
 */
export const devices: readonly Rows[] = [
  {
    table: 'devices',
    sql: `UPDATE devices AS device
             SET created_at = last_seen_at - ${AGE} * interval '1 day',
                 seen_days = (${SEEN_DAYS} | 1) & ((1::bigint << (${AGE} + 1)) - 1),
                 deployment_id = newest.id, offered_at = device.last_seen_at - interval '1 hour',
                 applied_at = CASE WHEN n % 5 <> 0 THEN device.last_seen_at - interval '30 minutes' END,
                 rolled_back_at = CASE WHEN n % 50 = 1 THEN device.last_seen_at - interval '10 minutes' END,
                 bundle_id = CASE WHEN n % 50 = 1 THEN NULL WHEN n % 5 = 0 THEN older.bundle_id
                                  ELSE newest.bundle_id END
            FROM generate_series($2::int, $3::int) AS n,
                 LATERAL (SELECT $5::int - $5::int % ($6::int + 1) AS number) AS last,
                 LATERAL (SELECT ${idOf('deployment', 'last.number')} AS id) AS offered
            LEFT JOIN LATERAL ${deploymentOf('offered.id')} AS newest ON true
            LEFT JOIN LATERAL ${deploymentOf(idOf('deployment', '(last.number - $6::int - 1)'))} AS older ON true
           WHERE device.app_id = $1::uuid AND device.id = ${idOf('device', 'n')}::text`,
  },
];

function deploymentOf(id: string): string {
  return `(SELECT deployment.id, artifact.id AS bundle_id FROM deployments AS deployment
             JOIN build_artifacts AS artifact ON artifact.build_id = deployment.build_id
            WHERE deployment.id = ${id})`;
}

/** The app and its deployments are as old as their devices. $5 deployments. */
export const deployments: readonly Rows[] = [
  {
    table: 'apps',
    sql: `UPDATE apps SET created_at = now() - $4::int * interval '1 day'
           WHERE id = $1::uuid AND $2::int = 1 AND $3::int IS NOT NULL`,
  },
  {
    table: 'deployments',
    sql: `UPDATE deployments SET created_at = now() - ($5::int - n) * $4::int * interval '1 day' / $5::int
            FROM generate_series($2::int, $3::int) AS n WHERE id = ${idOf('deployment', 'n')} AND app_id = $1::uuid`,
  },
];

/** On day n before today, one of $5 bundles was downloaded by a few of the $4 devices. */
export const downloads: readonly Rows[] = [
  {
    table: 'download_counts',
    sql: `INSERT INTO download_counts (artifact_id, day, kind, app_id, downloads, bytes)
          SELECT ${idOf('big bundle', '(n % $5::int + 1)')}, (now() AT TIME ZONE 'UTC')::date - n, 'zip', $1::uuid,
                 count, count * 1000000
            FROM generate_series($2::int, $3::int) AS n,
                 LATERAL (SELECT 1 + $4::bigint * (3 + n % 5) / 100 AS count) AS number`,
  },
];
