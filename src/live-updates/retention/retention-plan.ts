import { constraintColumns } from '../../common/native-maxima.js';
import { NAMED_MANIFEST_HREF } from '../bundle-manifests/named-manifest.js';

/** How long a bundle is kept after it has expired, as an SQL interval. */
export const KEPT_AFTER_EXPIRY = `interval '1 day'`;

/** Why a bundle is kept; the first that applies is shown. docs/retention.md says what each means. */
export const keptReasons = [
  'legal-hold',
  'approval',
  'delivered',
  'rollback',
  'rollout-plan',
  'no-retention',
  'newest',
  'device',
] as const;

/** Of deployments. */
const MAXIMA = constraintColumns.filter((column) => column.startsWith('max_'));

/**
 * Whether every native version that the older deployment admits is admitted by the newer one: no statement, or the same, of
 * the build and of the deployment each.
 */
const ADMITS_ALL = [
  ...constraintColumns.map(
    (column) => `(newer_build.${column} IS NULL OR newer_build.${column} = build.${column})`,
  ),
  ...MAXIMA.map((column) => `(newer.${column} IS NULL OR newer.${column} = deployment.${column})`),
].join(' AND ');

/**
 * The next newer deployment of another build in the channel that every device takes which would take this one, whether the
 * channel is protected or not. So long as it is there, no device is offered this one. One that expires or
 * is damaged does not count: devices are offered what is below it.
 *
 * @param condition a further condition on it
 */
const superseding = (condition = 'true'): string => `
  SELECT newer.build_id FROM deployments AS newer
    JOIN builds AS newer_build ON newer_build.id = newer.build_id
    JOIN build_artifacts AS newer_artifact
      ON newer_artifact.build_id = newer.build_id AND newer_artifact.status = 'ready'
    JOIN bundles AS newer_bundle ON newer_bundle.id = newer_artifact.id
   WHERE newer.channel_id = deployment.channel_id AND newer.sequence > deployment.sequence
     AND newer.build_id <> deployment.build_id AND ${condition}
     AND newer_bundle.expires_at IS NULL
     AND NOT EXISTS (SELECT FROM bundle_files AS file JOIN blobs AS blob ON blob.id = file.blob_id
                      WHERE file.bundle_id = newer_bundle.id AND file.href <> '${NAMED_MANIFEST_HREF}'
                        AND blob.damaged_at IS NOT NULL)
     AND newer.approval_status = 'approved' AND newer.rollout_percentage = 1
     AND (newer_artifact.type = 'zip' OR artifact.type = 'manifest')
     AND (newer_bundle.signed OR NOT bundle.signed) AND ${ADMITS_ALL}
   ORDER BY newer.sequence LIMIT 1`;

/**
 * The published bundles of an app ($1), each with the reason why it is kept, or `NULL`. $2: days for which a device
 * counts that was not seen. Conditions on `bundle` may follow.
 *
 * Kept of each channel are the bundles that some device may be offered now, since nothing newer supersedes them
 * (`delivered`), those that it would be offered if any one other build was withdrawn (`rollback`), and the newest.
 * After its expiry, a bundle is kept only for a legal hold or a device: it is no longer offered to others.
 */
export const PLAN = `
  SELECT bundle.id AS "bundleId", build.id AS "buildId", build.number AS "buildNumber",
         artifact.type AS "artifactType", bundle.created_at AS "createdAt",
         coalesce(artifact.total_size_in_bytes, 0) AS "sizeInBytes",
         expiration.unneeded_since AS "unneededSince",
         CASE WHEN bundle.expires_at <= now() THEN bundle.expires_at END AS "expiredAt",
         coalesce(CASE
           WHEN bundle.legal_hold_at IS NOT NULL THEN 'legal-hold'
           WHEN bundle.expires_at <= now() THEN NULL
           WHEN need.is_pending THEN 'approval'
           WHEN need.is_delivered THEN 'delivered'
           WHEN need.is_rollback THEN 'rollback'
           WHEN need.is_planned THEN 'rollout-plan'
           WHEN need.is_unlimited OR need.deployments = 0 AND app.bundle_retention_count IS NULL THEN 'no-retention'
           WHEN need.is_newest THEN 'newest'
         END, CASE
           WHEN EXISTS (SELECT FROM devices AS device
                         WHERE device.bundle_id = bundle.id AND device.app_id = app.id
                           AND device.last_seen_at > now() - make_interval(days => $2))
             OR EXISTS (SELECT FROM deployments AS offered
                          JOIN devices AS device ON device.deployment_id = offered.id AND device.app_id = app.id
                         WHERE offered.build_id = build.id
                           AND device.last_seen_at > now() - make_interval(days => $2)) THEN 'device'
         END) AS reason
    FROM apps AS app
    JOIN bundles AS bundle ON bundle.app_id = app.id
    JOIN build_artifacts AS artifact ON artifact.id = bundle.id AND artifact.status = 'ready'
    JOIN builds AS build ON build.id = artifact.build_id
    LEFT JOIN bundle_expirations AS expiration ON expiration.bundle_id = bundle.id
   CROSS JOIN LATERAL (
     SELECT count(*) AS deployments,
            bool_or(deployment.approval_status = 'pending') AS is_pending,
            bool_or(deployment.approval_status = 'approved' AND superseding.build_id IS NULL) AS is_delivered,
            bool_or(deployment.approval_status = 'approved' AND superseding.further_build_id IS NULL) AS is_rollback,
            bool_or(deployment.approval_status = 'approved' AND deployment.sequence >= channel.newest_from) AS is_newest,
            bool_or(plan.id IS NOT NULL) AS is_planned,
            bool_or(channel.retention_count IS NULL) AS is_unlimited
       FROM deployments AS deployment
       JOIN (SELECT id, retention_count,
                    (SELECT min(sequence) FROM (
                       SELECT max(sequence) AS sequence FROM deployments
                        WHERE channel_id = channel.id AND approval_status = 'approved'
                        GROUP BY build_id ORDER BY 1 DESC LIMIT channel.retention_count) AS newest) AS newest_from
               FROM (SELECT channels.id, coalesce(channels.bundle_retention_count, apps.bundle_retention_count)
                              AS retention_count
                       FROM channels JOIN apps ON apps.id = channels.app_id
                      WHERE channels.app_id = $1) AS channel) AS channel ON channel.id = deployment.channel_id
       LEFT JOIN rollout_plans AS plan
         ON plan.deployment_id = deployment.id AND plan.state IN ('draft', 'running', 'held')
       LEFT JOIN LATERAL (
         SELECT next.build_id, (${superseding('newer.build_id <> next.build_id')}) AS further_build_id
           FROM (${superseding()}) AS next) AS superseding ON true
      WHERE deployment.build_id = build.id AND deployment.approval_status <> 'rejected') AS need
   WHERE app.id = $1`;
