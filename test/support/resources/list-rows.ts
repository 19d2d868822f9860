import type { Actor, Site } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import type { Resource } from './resource.js';

/** How many rows each table gets, and how many of them are in the list of the one user or organization. */
const ROWS = 3000;
const OWN = 120;

/** The table that counts the rows, from 1, as `n`. */
export const NUMBERS = `generate_series(1, ${ROWS}) AS n`;
const LATER = `now() - n * interval '1 second'`;
/** The id of row `n`. @param what keeps the ids of tables apart */
export const idOf = (what: string): string => `md5('${what}' || n)::uuid`;
/** `$1` for the own rows, another id for all others. */
export const OWNER = `CASE WHEN n <= ${OWN} THEN $1 ELSE ${idOf('other')} END`;

/** The first parameter of each is what the list belongs to. */
const ofUser = [
  `INSERT INTO tokens (id, user_id, name, hash, created_at)
   SELECT ${idOf('token')}, ${OWNER}, 'Token ' || n, md5('token' || n), ${LATER} FROM ${NUMBERS}`,
  `INSERT INTO sessions (id, user_id, kind, hash, address, created_at)
   SELECT ${idOf('session')}, ${OWNER}, 'browser', md5('session' || n), '127.0.0.1', ${LATER} FROM ${NUMBERS}`,
  `INSERT INTO organizations (id, name, slug)
   SELECT ${idOf('organization')}, 'Organization ' || n, 'organization-' || n FROM ${NUMBERS}`,
  `INSERT INTO members (id, organization_id, user_id, role)
   SELECT ${idOf('membership')}, ${idOf('organization')}, ${OWNER}, 'viewer' FROM ${NUMBERS}`,
];
const ofEmail = [
  `INSERT INTO invitations (id, organization_id, email, role, expires_at, created_at)
   SELECT ${idOf('received')}, ${idOf('organization')}, CASE WHEN n <= ${OWN} THEN $1 ELSE n || '@example.com' END,
          'viewer', now() + interval '1 day', ${LATER} FROM ${NUMBERS}`,
];
const ofOrganization = [
  `INSERT INTO invitations (id, organization_id, email, role, expires_at, created_at)
   SELECT ${idOf('invitation')}, ${OWNER}, n || '@example.org', 'viewer', now() + interval '1 day', ${LATER}
     FROM ${NUMBERS}`,
  `INSERT INTO team_apps (id, team_id, app_id, created_at)
   SELECT ${idOf('team app')}, CASE WHEN n <= ${OWN} THEN md5('team1') ELSE md5('team' || n) END::uuid, own.id, ${LATER}
     FROM (SELECT id, row_number() OVER () AS n FROM apps WHERE organization_id = $1) AS own`,
  `INSERT INTO team_members (id, team_id, member_id, created_at)
   SELECT ${idOf('team member')}, CASE WHEN n <= ${OWN} THEN md5('team1') ELSE md5('team' || n) END::uuid, own.id, ${LATER}
     FROM (SELECT id, row_number() OVER (ORDER BY organization_id = $1 DESC) AS n FROM members) AS own`,
  `INSERT INTO blobs (id, organization_id, sha256, size_in_bytes, damaged_at, damage)
   SELECT ${idOf('blob')}, $1, encode(sha256(n::text::bytea), 'hex'), 1,
          CASE WHEN n <= ${OWN} THEN ${LATER} END, CASE WHEN n <= ${OWN} THEN 'missing' END FROM ${NUMBERS}`,
];
const ofApp = [
  `INSERT INTO jobs (id, organization_id, app_id, kind, status, platform, stack, created_at, finished_at)
   SELECT ${idOf('job')}, (SELECT organization_id FROM apps WHERE id = $1), $1, 'build', 'succeeded', 'web', 'ubuntu', ${LATER}, now()
     FROM ${NUMBERS}`,
  `INSERT INTO deployment_approvals (id, app_id, deployment_id, user_id, decision)
   SELECT md5('approval' || id)::uuid, app_id, id, app_id, 'approved' FROM deployments WHERE app_id = $1`,
  ...['variables', 'secrets'].map(
    (values) =>
      `INSERT INTO environment_${values} (id, app_id, environment_id, key, ${values === 'variables' ? 'value' : 'masked, sealed_value'})
       SELECT ${idOf(values)}, ${OWNER}, CASE WHEN n <= ${OWN} THEN md5('environment1') ELSE md5('environment' || n) END::uuid,
              'KEY_' || n, ${values === 'variables' ? "'value'" : "true, 'v1.'"} FROM ${NUMBERS}`,
  ),
  `INSERT INTO submissions (id, app_id, destination_id, job_id, type, package_name, version_code, artifact_id, artifact_type,
                            blob_id, size_in_bytes, sha256, step)
   SELECT CASE WHEN n = 1 THEN md5($1 || ' deployment 1')::uuid ELSE ${idOf('submission')} END, $1, md5('destination1')::uuid, ${idOf('job')}, 'google-play', 'com.example.app', n,
          ${idOf('artifact')}, 'aab', ${idOf('blob')}, 1, 'x', 'check' FROM ${NUMBERS}`,
  `INSERT INTO submission_requests (id, submission_id, method, url, request_headers, response_headers, milliseconds)
   SELECT ${idOf('request')}, CASE WHEN n <= ${OWN} THEN md5($1 || ' deployment 1') ELSE md5('submission' || n) END::uuid,
          'GET', 'https://store.example.com', '{}', '{}', 1 FROM ${NUMBERS}`,
  `INSERT INTO release_events (id, app_id, release_id, kind, actor)
   SELECT ${idOf('event')}, $1, CASE WHEN n <= ${OWN} THEN md5($1 || ' deployment 1') ELSE md5('submission' || n) END::uuid,
          'requested', 'user' FROM ${NUMBERS}`,
  `INSERT INTO bundle_files (id, bundle_id, href, name, mime_type, size_in_bytes, checksum, blob_id)
   SELECT ${idOf('file')}, md5($1 || ' big bundle ' || n)::uuid, '', 'a', 'b', 1, '', ${idOf('blob')} FROM ${NUMBERS}`,
  `INSERT INTO git_events (id, app_id, automation_id, outcome, created_at)
   SELECT ${idOf('git event')}, ${OWNER}, ${idOf('automation')}, 'built', ${LATER} FROM ${NUMBERS}`,
  `INSERT INTO download_counts (artifact_id, day, kind, app_id, downloads, bytes)
   SELECT md5($1 || ' big bundle ' || n)::uuid, current_date - n % 10, 'zip', ${OWNER}, 1, 1 FROM ${NUMBERS}`,
];

/** Deliveries of one webhook. */
const deliveriesOf = (webhook: string): string =>
  `INSERT INTO webhook_deliveries (id, webhook_id, event_id, event_type, position, status, created_at)
   SELECT ${idOf(`delivery of ${webhook}`)}, md5('${webhook}')::uuid, ${idOf('event')}, 'job_finished', n, 'succeeded', ${LATER}
     FROM ${NUMBERS}`;

/**
 * Fills the lists that `npm run seed` leaves empty, for one user and its organization. The rows refer to what may not be
 * there, and are not audited.
 *
 * @param resources with their own `rows`
 * @returns ids for the parameters of their paths
 */
export async function writeOtherLists(
  site: Site,
  { userId, email }: Actor,
  { organizationId, appId }: { organizationId: string; appId: string },
  resources: readonly Resource[],
): Promise<Record<string, string>> {
  const parents = { organizationId, appId };
  const statements = [
    ...resources.flatMap(({ rows, parent }) =>
      rows === undefined ? [] : [bound(rows, parents[parent.idField])],
    ),
    ...ofUser.map((sql) => bound(sql, userId)),
    ...ofEmail.map((sql) => bound(sql, email)),
    ...ofOrganization.map((sql) => bound(sql, organizationId)),
    ...ofApp.map((sql) => bound(sql, appId)),
    ...['webhook1', 'app webhook1'].map(deliveriesOf),
  ];
  await query(site.databaseUrl, ['SET session_replication_role = replica', ...statements].join(';'));
  await query(site.databaseUrl, 'VACUUM ANALYZE');
  const [ids] = await query<Record<string, string>>(
    site.databaseUrl,
    `SELECT md5('team1')::uuid AS "teamId", md5($1 || ' big build 1')::uuid AS "buildId",
            md5('environment1')::uuid AS "environmentId", md5('webhook1')::uuid AS "webhookId",
            md5('app webhook1')::uuid AS "appWebhookId"`,
    [appId],
  );
  return { ...ids };
}

/** Literals instead of parameters, which several statements at once cannot have. */
const bound = (sql: string, owner: string): string =>
  sql.replaceAll('$1 ||', `'${owner}' ||`).replaceAll('$1', literal(owner));

const literal = (owner: string): string => `'${owner}'${owner.includes('@') ? '' : '::uuid'}`;
