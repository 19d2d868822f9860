import { Injectable } from '@nestjs/common';
import type { UserReferenceDto } from '../../accounts/users/user.dto.js';
import { OPEN_SUBMISSIONS, type Submission } from '../../app-submissions/submissions/submission.entity.js';
import { Sql } from '../../database/sql.js';
import type { JobStatus } from '../../jobs/jobs/job.entity.js';
import type { RolloutPlan } from '../../live-updates/rollout-plans/rollout-plan.entity.js';
import type { Build } from '../../native-builds/builds/build.entity.js';
import { ALL } from '../insights/dimensions.js';
import { DELIVERED_BUNDLE } from './app-counts.queries.js';

/** Channels of an app in one page. */
export const CHANNELS_PER_PAGE = 20;
/** Open submissions of an app. */
const MAX_SUBMISSIONS = 10;
/** Days of a summary, with today. */
export const DAYS = 14;

/** An app with its newest build. */
export interface AppRow {
  readonly appId: string;
  readonly totalChannels: number;
  readonly totalOpenSubmissions: number;
  /** `null`: there is none. */
  readonly lastBuild:
    | (Pick<Build, 'id' | 'number' | 'platform' | 'displayName' | 'gitRef' | 'gitCommitSha'> & {
        readonly status: JobStatus;
        /** ISO 8601. */
        readonly createdAt: string;
      })
    | null;
}

/** What a channel delivers. Times are ISO 8601. */
export interface ActiveDeployment extends Pick<Build, 'number' | 'displayName' | 'gitCommitSha'> {
  readonly id: string;
  readonly buildId: string;
  readonly rolloutPercentage: number;
  readonly takenBackAt: string | null;
  readonly createdAt: string;
  readonly createdBy: UserReferenceDto | null;
  readonly plan:
    | (Pick<RolloutPlan, 'steps' | 'state' | 'reason' | 'stepIndex'> & {
        readonly stepEndsAt: string | null;
        readonly frozenUntil: string | null;
      })
    | null;
}

/** A channel with what it delivers. */
export interface ChannelRow {
  readonly appId: string;
  readonly id: string;
  readonly name: string;
  readonly pausedAt: Date | null;
  readonly expiresAt: Date | null;
  /** `null`: the channel delivers nothing. */
  readonly bundleId: string | null;
  readonly deployment: ActiveDeployment | null;
}

/** A submission that has not ended. */
export interface SubmissionRow extends Pick<
  Submission,
  'id' | 'appId' | 'destinationId' | 'action' | 'state' | 'message' | 'versionName' | 'createdAt'
> {
  readonly destinationName: string;
}

/** The devices of an app on a day that was counted. */
export interface DayRow {
  readonly appId: string;
  readonly day: string;
  readonly daily: number;
}

/** How many devices channels have, in two lists of the same length. */
export interface ChannelOrder {
  readonly channelIds: readonly string[];
  readonly devices: readonly number[];
}

const time = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Only what has no devices is ordered by more than its id: the caller has cut the others by their ids. */
const orderBy = (counted: string, channel: string): string =>
  `${counted}.devices DESC NULLS LAST,
   CASE WHEN ${counted}.devices IS NULL THEN ${channel}.id IS DISTINCT FROM app.default_channel_id END,
   CASE WHEN ${counted}.devices IS NULL THEN ${channel}.name_lower END, ${channel}.id`;

/** SQL of the summaries: four statements for any number of apps, with bounded results. */
@Injectable()
export class AppFactsQueries {
  constructor(private readonly sql: Sql) {}

  /** Those that exist, with their newest builds. */
  apps(appIds: readonly string[]): Promise<AppRow[]> {
    return this.sql.query(
      `SELECT app.id AS "appId",
              (SELECT count(*)::int FROM channels WHERE app_id = app.id) AS "totalChannels",
              (SELECT count(*)::int FROM submissions WHERE app_id = app.id AND ${OPEN_SUBMISSIONS})
                AS "totalOpenSubmissions",
              (SELECT json_build_object(
                        'id', build.id, 'number', build.number, 'platform', build.platform,
                        'displayName', build.display_name, 'gitRef', build.git_ref,
                        'gitCommitSha', build.git_commit_sha, 'createdAt', ${time('build.created_at')},
                        'status', coalesce(
                          (SELECT status FROM jobs WHERE id = build.job_id),
                          (SELECT 'pending' FROM build_artifacts
                            WHERE build_id = build.id AND status = 'pending' LIMIT 1),
                          'succeeded'))
                 FROM builds AS build WHERE build.app_id = app.id
                ORDER BY build.created_at DESC, build.id DESC LIMIT 1) AS "lastBuild"
         FROM apps AS app WHERE app.id = ANY ($1)`,
      [appIds],
    );
  }

  /**
   * A page of the channels of each app: those with the most devices first, then those without: the default channel, and
   * others by name.
   *
   * @param order how many devices channels have; others have none
   */
  channels(
    appIds: readonly string[],
    { channelIds, devices }: ChannelOrder,
    offset: number,
  ): Promise<ChannelRow[]> {
    return this.sql.query(
      `SELECT channel.app_id AS "appId", channel.id, channel.name, channel.paused_at AS "pausedAt",
              channel.expires_at AS "expiresAt", ${DELIVERED_BUNDLE} AS "bundleId", deployment.deployment
         FROM apps AS app
        CROSS JOIN LATERAL (
               SELECT channels.*, counted.devices
                 FROM channels LEFT JOIN unnest($2::uuid[], $3::int[]) AS counted (id, devices)
                   ON counted.id = channels.id
                WHERE channels.app_id = app.id
                ORDER BY ${orderBy('counted', 'channels')} LIMIT $4 OFFSET $5
             ) AS channel
         LEFT JOIN LATERAL (
               SELECT json_build_object(
                        'id', active.id, 'buildId', active.build_id, 'number', build.number,
                        'displayName', build.display_name, 'gitCommitSha', build.git_commit_sha,
                        'rolloutPercentage', active.rollout_percentage,
                        'takenBackAt', ${time('active.taken_back_at')}, 'createdAt', ${time('active.created_at')},
                        'createdBy', (SELECT json_build_object('id', id, 'name', name, 'email', email)
                                        FROM users WHERE id = active.created_by_user_id),
                        'plan', (SELECT json_build_object(
                                          'steps', steps, 'state', state, 'reason', reason, 'stepIndex', step_index,
                                          'stepEndsAt', ${time('step_ends_at')},
                                          'frozenUntil', ${time('frozen_until')})
                                   FROM rollout_plans WHERE deployment_id = active.id)) AS deployment
                 FROM deployments AS active JOIN builds AS build ON build.id = active.build_id
                WHERE active.channel_id = channel.id AND active.approval_status = 'approved'
                ORDER BY active.sequence DESC LIMIT 1
             ) AS deployment ON true
        WHERE app.id = ANY ($1)
        ORDER BY ${orderBy('channel', 'channel')}`,
      [appIds, channelIds, devices, CHANNELS_PER_PAGE, offset],
    );
  }

  /** The newest submissions of each app that have not ended. */
  openSubmissions(appIds: readonly string[]): Promise<SubmissionRow[]> {
    return this.sql.query(
      `SELECT submission.id, submission.app_id AS "appId", submission.destination_id AS "destinationId",
              submission.action, submission.state, submission.message, submission.version_name AS "versionName",
              submission.created_at AS "createdAt", destinations.name AS "destinationName"
         FROM unnest($1::uuid[]) AS app (id)
        CROSS JOIN LATERAL (
               SELECT * FROM submissions WHERE app_id = app.id AND ${OPEN_SUBMISSIONS}
                ORDER BY created_at DESC, id DESC LIMIT $2
             ) AS submission
         JOIN destinations ON destinations.id = submission.destination_id
        ORDER BY submission.created_at DESC, submission.id DESC`,
      [appIds, MAX_SUBMISSIONS],
    );
  }

  /** The last days that were counted, oldest first. */
  days(appIds: readonly string[]): Promise<DayRow[]> {
    return this.sql.query(
      `SELECT app_id AS "appId", to_char(day, 'YYYY-MM-DD') AS day, daily FROM device_counts
        WHERE app_id = ANY ($1) AND dimension = '${ALL}' AND NOT others
          AND day > (now() AT TIME ZONE 'UTC')::date - ${DAYS}
        ORDER BY device_counts.day`,
      [appIds],
    );
  }
}
