import { Injectable } from '@nestjs/common';
import {
  OPEN_SUBMISSIONS,
  openSubmissionStates,
} from '../../app-submissions/submissions/submission.entity.js';
import { isOneOf } from '../../database/schema/columns.js';
import { Sql } from '../../database/sql.js';
import { EXPIRED_LATELY } from '../../events/expiry.js';
import { withinTeams } from '../../organizations/teams/within-teams.js';
import type { InboxKind, InboxObjectDto } from './inbox.dto.js';
import type { InboxFacts } from './inbox-sentences.js';

/** Days before the expiry from which a certificate or a profile waits. */
const EXPIRES_WITHIN = '30 days';
/** How long a failed submission or change of a release waits: an older one is history. */
const FAILED_WITHIN = '30 days';
/** Attempts of a webhook in a row that have failed: fewer are an outage of a minute. */
const FAILED_ATTEMPTS = 5;

/** What decides what waits for a caller. */
export interface InboxReader {
  readonly userId: string;
  readonly organizationId: string;
  /** The only apps that the token covers; `null`: all of the user's. */
  readonly appIds: readonly string[] | null;
  /** What the caller may act on. */
  readonly kinds: readonly InboxKind[];
  /** Whether it may change what is protected among what builds sign with. */
  readonly mayUseProtected: boolean;
  /** Whether it may change webhooks of the organization itself. */
  readonly mayChangeOrganization: boolean;
}

/** An entry as the database has it. */
export interface InboxRow {
  readonly kind: InboxKind;
  readonly id: string;
  readonly since: Date;
  readonly object: Partial<InboxObjectDto>;
  readonly facts: InboxFacts;
  /** Of all entries. */
  readonly total: number;
}

/** What people call a build, on `builds AS build`. */
const BUILD_NAME = `coalesce(build.display_name, 'Build ' || build.number)`;

/** The object of `deployments AS deployment`, with its build, app and target. */
const deploymentObject = (name = BUILD_NAME): string => `json_build_object(
  'name', ${name}, 'appId', app.id, 'appName', app.name, 'appDeploymentId', deployment.id, 'appBuildId', build.id,
  'appChannelId', channel.id, 'appChannelName', channel.name,
  'appDestinationId', destination.id, 'appDestinationName', destination.name)`;

/** Entries of each part, each from the caller's apps: `app`. `$1` is the user. */
const parts = {
  approvals: `
    SELECT 'approval' AS kind, deployment.id, deployment.created_at AS since, ${deploymentObject()} AS object,
           json_build_object(
             'asker', (SELECT coalesce(name, email) FROM users WHERE id = deployment.created_by_user_id),
             'text', coalesce(deployment.notes, deployment.comment, split_part(build.git_commit_message, E'\\n', 1)),
             'missing', deployment.required_approvals - (
               SELECT count(*) FROM deployment_approvals AS given
                WHERE given.deployment_id = deployment.id AND given.decision = 'approved')) AS facts
      FROM app
      JOIN deployments AS deployment ON deployment.app_id = app.id AND deployment.approval_status = 'pending'
      JOIN builds AS build ON build.id = deployment.build_id
      LEFT JOIN channels AS channel ON channel.id = deployment.channel_id
      LEFT JOIN destinations AS destination ON destination.id = deployment.destination_id
     WHERE deployment.created_by_user_id IS DISTINCT FROM $1
       AND NOT EXISTS (SELECT FROM deployment_approvals AS own
                        WHERE own.deployment_id = deployment.id AND own.user_id = $1)`,
  plans: `
    SELECT 'plan_held', deployment.id, plan.state_since, ${deploymentObject()},
           json_build_object(
             'reason', plan.reason, 'share', deployment.rollout_percentage, 'comment', plan.comment,
             'storeMessage', plan.store_message, 'evidence', plan.evidence, 'healthGate', plan.health_gate)
      FROM app
      JOIN rollout_plans AS plan ON plan.app_id = app.id AND plan.state = 'held'
      JOIN deployments AS deployment ON deployment.id = plan.deployment_id
      JOIN builds AS build ON build.id = deployment.build_id
      LEFT JOIN channels AS channel ON channel.id = deployment.channel_id
      LEFT JOIN destinations AS destination ON destination.id = deployment.destination_id`,
  /** The newest of each destination: with another one, a person has done something about those before. */
  submissions: `
    SELECT judged.kind, deployment.id,
           CASE WHEN judged.kind = 'release_change_failed' THEN change.finished_at
                ELSE coalesce(release.status_since, job.finished_at, submission.updated_at) END,
           ${deploymentObject(`coalesce(submission.version_name, ${BUILD_NAME})`)},
           CASE WHEN judged.kind = 'release_change_failed'
                THEN json_build_object('message', change.message, 'storeMessage', change.store_message,
                                       'action', change.action, 'share', change.user_fraction)
                ELSE json_build_object('message', coalesce(release.message, submission.message),
                                       'storeMessage', submission.store_message) END
      FROM app
      JOIN destinations AS destination ON destination.app_id = app.id
     CROSS JOIN LATERAL (
           SELECT * FROM deployments
            WHERE destination_id = destination.id AND approval_status <> 'rejected'
            ORDER BY sequence DESC LIMIT 1
         ) AS deployment
      JOIN builds AS build ON build.id = deployment.build_id
      JOIN submissions AS submission ON submission.id = deployment.id AND NOT (${OPEN_SUBMISSIONS})
      JOIN jobs AS job ON job.id = submission.job_id
      LEFT JOIN store_releases AS release ON release.id = submission.id
      LEFT JOIN channels AS channel ON false
      LEFT JOIN LATERAL (
           SELECT newest.state, newest.action, newest.user_fraction, newest.message, newest.store_message,
                  newest.created_by_user_id, work.status, work.finished_at
             FROM submissions AS newest JOIN jobs AS work ON work.id = newest.job_id
            WHERE newest.release_id = submission.id ORDER BY newest.id DESC LIMIT 1
         ) AS change ON true
     CROSS JOIN LATERAL (SELECT CASE
           WHEN ${isOneOf('change.state', openSubmissionStates)} THEN NULL
           WHEN release.status = 'rejected' THEN 'submission_refused'
           -- A plan is held when its change fails. What the release has become since then counts more.
           WHEN change.state = 'failed' AND change.status = 'failed' AND change.created_by_user_id IS NOT NULL
                AND change.finished_at > now() - interval '${FAILED_WITHIN}'
                AND release.status_since <= change.finished_at
                AND release.status NOT IN ('released', 'replaced', 'removed') THEN 'release_change_failed'
           WHEN release.status IN ('paused', 'halted') THEN 'release_stopped'
           WHEN release.status IN ('draft', 'not_sent_for_review') THEN 'submission_waiting'
           WHEN release.status = 'approved' AND submission.apple_release_type = 'manual' THEN 'submission_waiting'
           WHEN release.status IS NOT NULL THEN NULL
           WHEN submission.state = 'failed_with_action_required' THEN 'submission_waiting'
           WHEN submission.state = 'failed' AND job.status = 'failed'
                AND job.finished_at > now() - interval '${FAILED_WITHIN}' THEN 'submission_refused'
         END AS kind) AS judged
     WHERE judged.kind IS NOT NULL`,
  /** One of each app, at its newest damaged build: one file may be in all of them. */
  damages: `
    SELECT 'files_damaged', build.id, damaged.since,
           json_build_object('name', ${BUILD_NAME}, 'appId', app.id, 'appName', app.name, 'appBuildId', build.id,
                             'appChannelId', channel.id, 'appChannelName', channel.name),
           json_build_object('files', damaged.files, 'builds', damaged.builds)
      FROM (SELECT artifact.app_id, min(artifact.damaged_at) AS since, count(DISTINCT artifact.blob_id) AS files,
                   count(DISTINCT artifact.build_id) AS builds,
                   (array_agg(artifact.build_id ORDER BY artifact.number DESC))[1] AS build_id
              FROM (SELECT bundle.app_id, blob.id AS blob_id, blob.damaged_at, owner.id AS build_id, owner.number
                      FROM blobs AS blob
                      JOIN bundle_files AS file ON file.blob_id = blob.id AND file.href NOT LIKE '/%'
                      JOIN bundles AS bundle ON bundle.id = file.bundle_id AND bundle.app_id IN (SELECT id FROM app)
                      JOIN build_artifacts AS stored ON stored.id = bundle.id AND stored.status = 'ready'
                      JOIN builds AS owner ON owner.id = stored.build_id
                     WHERE blob.damaged_at IS NOT NULL) AS artifact
             GROUP BY artifact.app_id) AS damaged
      JOIN app ON app.id = damaged.app_id
      JOIN builds AS build ON build.id = damaged.build_id
      LEFT JOIN LATERAL (
           SELECT channels.id, channels.name FROM deployments JOIN channels ON channels.id = deployments.channel_id
            WHERE deployments.build_id = build.id AND deployments.approval_status = 'approved'
            ORDER BY deployments.sequence DESC LIMIT 1
         ) AS channel ON true`,
  /** `$4`: whether the caller may change protected ones. */
  signing: `
    SELECT 'signing_expiring', signing.id, signing.expires_at - interval '${EXPIRES_WITHIN}',
           json_build_object('name', signing.name, 'appId', app.id, 'appName', app.name,
                             'appCertificateId', signing.certificate_id, 'appProvisioningProfileId', signing.profile_id),
           json_build_object('expiresAt', signing.expires_at, 'isProfile', signing.profile_id IS NOT NULL)
      FROM app
     CROSS JOIN LATERAL (
           SELECT id, name, id AS certificate_id, NULL::uuid AS profile_id, expires_at, protected
             FROM certificates WHERE app_id = app.id
            UNION ALL
           SELECT profile.id, profile.name, profile.certificate_id, profile.id, profile.expires_at, owner.protected
             FROM provisioning_profiles AS profile JOIN certificates AS owner ON owner.id = profile.certificate_id
            WHERE profile.app_id = app.id
         ) AS signing
     WHERE signing.expires_at BETWEEN now() - interval '${EXPIRED_LATELY}' AND now() + interval '${EXPIRES_WITHIN}'
       AND ($4 OR NOT signing.protected)`,
  /** `$5`: whether the caller may change those of the organization itself. */
  webhooks: `
    SELECT CASE WHEN webhook.enabled THEN 'webhook_failing' ELSE 'webhook_disabled' END, webhook.id, coalesce(schedule.unsuccessful_since, webhook.updated_at),
           json_build_object('name', webhook.name, 'appId', app.id, 'appName', app.name, 'webhookId', webhook.id),
           json_build_object('disabledReason', webhook.disabled_reason, 'host', webhook.host,
                             'attempts', schedule.unsuccessful_attempts)
      FROM webhooks AS webhook
      LEFT JOIN webhook_schedules AS schedule ON schedule.webhook_id = webhook.id
      LEFT JOIN app ON app.id = webhook.app_id
     WHERE webhook.organization_id = $2 AND (app.id IS NOT NULL OR $5 AND webhook.app_id IS NULL)
       AND (webhook.disabled_reason IS NOT NULL AND NOT webhook.enabled
            OR webhook.enabled AND schedule.unsuccessful_attempts >= ${FAILED_ATTEMPTS})`,
} as const;

const partOf: Readonly<Record<InboxKind, keyof typeof parts>> = {
  approval: 'approvals',
  plan_held: 'plans',
  submission_refused: 'submissions',
  submission_waiting: 'submissions',
  release_stopped: 'submissions',
  release_change_failed: 'submissions',
  files_damaged: 'damages',
  signing_expiring: 'signing',
  webhook_failing: 'webhooks',
  webhook_disabled: 'webhooks',
};

/** SQL of the inbox: one statement for any number of apps. */
@Injectable()
export class InboxQueries {
  constructor(private readonly sql: Sql) {}

  /** What waits for a caller, newest first. @param limit the most entries */
  async read(reader: InboxReader, limit: number): Promise<InboxRow[]> {
    const { userId, organizationId, appIds, kinds, mayUseProtected, mayChangeOrganization } = reader;
    const wanted = [...new Set(kinds.map((kind) => partOf[kind]))].map((part) => parts[part]);
    if (wanted.length === 0) return [];
    return this.sql.query(
      `WITH app AS MATERIALIZED (
         SELECT app.id, app.name FROM apps AS app
           JOIN members AS member ON member.organization_id = app.organization_id AND member.user_id = $1
          WHERE app.organization_id = $2 AND ($3::uuid[] IS NULL OR app.id = ANY ($3)) AND ${withinTeams}
       )
       SELECT kind, id, since, object, facts, count(*) OVER ()::int AS total
         FROM (SELECT NULL AS kind, NULL::uuid AS id, NULL::timestamptz AS since, NULL::json AS object,
                      NULL::json AS facts WHERE $4::boolean AND $5::boolean AND false
               UNION ALL ${wanted.join('\n UNION ALL')}) AS entry (kind, id, since, object, facts)
        ORDER BY since DESC, id DESC LIMIT $6`,
      [userId, organizationId, appIds, mayUseProtected, mayChangeOrganization, limit],
    );
  }
}
