import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import type { ReportedPush } from './expected-push.entity.js';

/** Seconds between two looks at a repository whose hook works: providers do not send everything. */
const WITH_HOOK = 3600;
/** Seconds from the end of a look to one that a hook asks for: many pushes at once take few looks. */
const PACE = 2;
/** For so many seconds after a push was reported, a server that still shows the older commit is asked again. */
const PATIENCE = 30;
/** Pushes of one app that wait for a look. Above, the look finds them without. */
const MAX_EXPECTED = 1000;
/** Seconds until a look is repeated that has failed; twice as many after each further failure. */
const AFTER_FAILURE = 30;

/** What a look reads, and as whom. */
const REPOSITORY =
  'app.organization_id, link.provider, link.provider_base_url, link.provider_repository_id, link.git_connection_id';
/** Looks, and what belongs to each. `$2`: the usual seconds between two. */
const JOINS = `
  FROM repository_looks AS look
  JOIN apps AS app ON app.id = look.app_id
  JOIN app_repositories AS link ON link.app_id = look.app_id
  JOIN organizations AS organization ON organization.id = app.organization_id AND organization.suspended_at IS NULL
 CROSS JOIN LATERAL (SELECT CASE WHEN look.reported_at IS NULL THEN $2::float8
                                 ELSE greatest($2::float8, ${WITH_HOOK}) END AS seconds) AS pace`;
/** Those that are not requested yet, of apps with automations that wait for pushes. */
const WAITING = `
 WHERE (look.requested_at IS NULL OR look.requested_at NOT BETWEEN now() - interval '1 hour' AND now())
   AND EXISTS (SELECT FROM automations
                WHERE app_id = look.app_id AND enabled AND trigger_type IN ('branch', 'tag'))`;

/** A repository that is to be looked at. */
export interface DueLook {
  readonly organizationId: string;
  /** Apps that are linked to it by the same connection. */
  readonly appIds: readonly string[];
}

/** A push that a look is to deal with. */
export interface AwaitedPush extends ReportedPush {
  readonly receivedAt: Date;
  /** Whether the server may not show it yet. */
  readonly isRecent: boolean;
}

/** SQL of when the server looks at repositories, and of the pushes that make it look. */
@Injectable()
export class LooksQueries {
  constructor(private readonly sql: Sql) {}

  /** Plans a look for now. What hooks have reported of another repository does not count. */
  async plan(appId: string): Promise<void> {
    await this.sql.execute(
      `INSERT INTO repository_looks (app_id) VALUES ($1)
       ON CONFLICT (app_id) DO UPDATE SET next_look_at = now(), requested_at = NULL, reported_at = NULL, failures = 0`,
      [appId],
    );
  }

  /** Plans a look soon, which deals with the push. @param push `null`: it may be any branch or tag */
  async expect(appId: string, push: ReportedPush | null): Promise<void> {
    await this.sql.execute(
      `INSERT INTO repository_looks AS look (app_id, reported_at) VALUES ($1, now())
       ON CONFLICT (app_id) DO UPDATE
         SET reported_at = now(),
             next_look_at = least(look.next_look_at, greatest(now(), least(look.looked_at, now()) + make_interval(secs => $2)))`,
      [appId, PACE],
    );
    if (push === null) return;
    await this.sql.execute(
      `INSERT INTO expected_pushes (app_id, ref, before_sha, after_sha)
       SELECT $1, $2, $3, $4 WHERE (SELECT count(*) FROM expected_pushes WHERE app_id = $1) < $5
       ON CONFLICT (app_id, ref)
       DO UPDATE SET before_sha = EXCLUDED.before_sha, after_sha = EXCLUDED.after_sha, received_at = now()`,
      [appId, push.ref, push.before, push.after, MAX_EXPECTED],
    );
  }

  /**
   * Takes the looks that are due, of apps with automations that wait for pushes, and those of other apps of the organization
   * with the same repository and connection: one look is for all of them. A time that is further ahead than two intervals is
   * that of a clock that was wrong, and so is due.
   *
   * @param limit of apps that are due
   * @param seconds between two looks at one repository, give or take a fifth; at least an hour where a hook works
   */
  takeDue(limit: number, seconds: number): Promise<DueLook[]> {
    return this.sql.query(
      `WITH due AS MATERIALIZED (
         SELECT DISTINCT first.* FROM (
           SELECT ${REPOSITORY} ${JOINS} ${WAITING}
              AND (look.next_look_at <= now() OR look.next_look_at > now() + make_interval(secs => 2 * pace.seconds))
            ORDER BY look.next_look_at LIMIT $1) AS first
       ), taken AS (
         SELECT look.app_id, pace.seconds, ${REPOSITORY} ${JOINS}
           JOIN due ON due.organization_id = app.organization_id AND due.provider = link.provider
                   AND due.provider_repository_id = link.provider_repository_id
                   AND due.provider_base_url IS NOT DISTINCT FROM link.provider_base_url
                   AND due.git_connection_id IS NOT DISTINCT FROM link.git_connection_id ${WAITING}
            FOR UPDATE OF look SKIP LOCKED
       ), requested AS (
         UPDATE repository_looks AS look
            SET next_look_at = now() + make_interval(secs => taken.seconds * (0.8 + 0.4 * random())), requested_at = now()
           FROM taken WHERE look.app_id = taken.app_id
         RETURNING taken.*
       )
       SELECT organization_id AS "organizationId", array_agg(app_id ORDER BY app_id) AS "appIds"
         FROM requested
        GROUP BY organization_id, provider, provider_base_url, provider_repository_id, git_connection_id`,
      [limit, seconds],
    );
  }

  /** Brings every look forward to a time within so many seconds: hooks may have reported pushes while no server ran. */
  async hasten(seconds: number): Promise<void> {
    await this.sql.execute(
      `UPDATE repository_looks SET next_look_at = least(next_look_at, now() + make_interval(secs => $1::float8 * random()))`,
      [seconds],
    );
  }

  /** A look begins: one that is planned from now on is another one. @returns the pushes that it is to deal with */
  async begin(appId: string): Promise<AwaitedPush[]> {
    await this.sql.execute('UPDATE repository_looks SET requested_at = NULL WHERE app_id = $1', [appId]);
    return this.sql.query(
      `SELECT ref, before_sha AS before, after_sha AS after, received_at AS "receivedAt",
              received_at BETWEEN now() - make_interval(secs => $2) AND now() AS "isRecent"
         FROM expected_pushes WHERE app_id = $1 ORDER BY received_at, ref`,
      [appId, PATIENCE],
    );
  }

  /** Forgets pushes that were dealt with, unless a hook has reported them again. */
  async settle(appId: string, pushes: readonly AwaitedPush[]): Promise<void> {
    await this.sql.execute(
      `DELETE FROM expected_pushes AS expected
        USING unnest($2::text[], $3::timestamptz[]) AS settled (ref, received_at)
        WHERE app_id = $1 AND expected.ref = settled.ref AND expected.received_at = settled.received_at`,
      [appId, pushes.map(({ ref }) => ref), pushes.map(({ receivedAt }) => receivedAt)],
    );
  }

  /**
   * The refs were read.
   *
   * @param look.hasChanged whether something was decided @param look.wasReported whether a hook has reported pushes before
   * @param look.again in how many seconds the server is to be asked once more; `null`: as usual
   */
  async end(
    appId: string,
    { hasChanged, wasReported, again }: { hasChanged: boolean; wasReported: boolean; again: number | null },
  ): Promise<void> {
    // A change that no hook has reported: maybe there is no hook any more.
    await this.sql.execute(
      `UPDATE repository_looks
          SET looked_at = now(), failure = NULL, failures = 0,
              unchanged_looks = CASE WHEN $2 THEN 0 ELSE unchanged_looks + 1 END,
              reported_at = CASE WHEN $2 AND NOT $3 THEN NULL ELSE reported_at END,
              next_look_at = least(next_look_at, now() + make_interval(secs => $4::float8))
        WHERE app_id = $1`,
      [appId, hasChanged, wasReported, again],
    );
  }

  /** The refs could not be read: the look is repeated soon. @param failure a sentence @param seconds at most until then */
  async fail(appId: string, failure: string, seconds: number): Promise<void> {
    await this.sql.execute(
      `UPDATE repository_looks
          SET failure = $2, failures = failures + 1,
              next_look_at = least(next_look_at, now() + make_interval(secs =>
                least($3::float8, ${AFTER_FAILURE} * 2 ^ least(failures, 10)) * (0.8 + 0.4 * random())))
        WHERE app_id = $1`,
      [appId, failure, seconds],
    );
  }

  /** Deletes old pushes that no look deals with, as their automations are disabled. @returns how many */
  deleteExpected(days: number, limit: number): Promise<number> {
    return this.sql.execute(
      `DELETE FROM expected_pushes WHERE (app_id, ref) IN (
         SELECT app_id, ref FROM expected_pushes WHERE received_at < now() - make_interval(days => $1) LIMIT $2)`,
      [days, limit],
    );
  }
}
