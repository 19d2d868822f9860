import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** SQL of what looks at repositories have decided. */
@Injectable()
export class GitLooksQueries {
  constructor(private readonly sql: Sql) {}

  /** The commits that an automation has decided, by ref. @param refs `null`: all */
  async decidedOf(automationId: string, refs: readonly string[] | null = null): Promise<Map<string, string>> {
    const rows = await this.sql.query<{ ref: string; sha: string }>(
      `SELECT ref, commit_sha AS sha FROM decided_refs
        WHERE automation_id = $1 AND ($2::text[] IS NULL OR ref = ANY ($2))`,
      [automationId, refs],
    );
    return new Map(rows.map(({ ref, sha }) => [ref, sha]));
  }

  /** Whether an automation of the app has decided this commit of a ref. */
  async isKnown(appId: string, ref: string, sha: string): Promise<boolean> {
    const rows = await this.sql.query(
      `SELECT FROM decided_refs AS decided JOIN automations AS automation ON automation.id = decided.automation_id
        WHERE automation.app_id = $1 AND decided.ref = $2 AND decided.commit_sha = $3 LIMIT 1`,
      [appId, ref, sha],
    );
    return rows.length > 0;
  }

  /** Decides refs, by their whole names. */
  async decide(
    automationId: string,
    commits: ReadonlyMap<string, string>,
    outcome: 'built' | 'skipped' | 'recorded',
  ): Promise<void> {
    await this.sql.execute(
      `INSERT INTO decided_refs (automation_id, ref, commit_sha, outcome)
       SELECT $1, ref, sha, $4 FROM unnest($2::text[], $3::text[]) AS tip (ref, sha)
       ON CONFLICT (automation_id, ref)
       DO UPDATE SET commit_sha = EXCLUDED.commit_sha, outcome = EXCLUDED.outcome, decided_at = now()`,
      [automationId, [...commits.keys()], [...commits.values()], outcome],
    );
  }

  /** Forgets what was decided: the refs are recorded again. */
  async forget(automationId: string): Promise<void> {
    await this.sql.execute('DELETE FROM decided_refs WHERE automation_id = $1', [automationId]);
  }

  /** Builds that an automation has started within the last hour, by whatever way. */
  async buildsOfLastHour(appId: string, automationId: string): Promise<number> {
    const [row] = await this.sql.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM builds
        WHERE app_id = $1 AND automation_id = $2 AND created_at > now() - interval '1 hour'`,
      [appId, automationId],
    );
    return row?.count ?? 0;
  }

  /** Deletes old git events. @returns how many */
  deleteEvents(days: number, limit: number): Promise<number> {
    return this.sql.execute(
      `DELETE FROM git_events WHERE id IN (
         SELECT id FROM git_events WHERE created_at < now() - make_interval(days => $1) ORDER BY created_at LIMIT $2)`,
      [days, limit],
    );
  }

  /**
   * Why what an automation was saved with is gone, in a sentence; `null`: it is not. What deletes users and tokens says so
   * itself; this also knows of tokens that have expired, and of users who are disabled.
   */
  async findLostIdentity(userId: string, tokenId: string | null): Promise<string | null> {
    const [row] = await this.sql.query<{ isDisabled: boolean; hasToken: boolean; isExpired: boolean | null }>(
      `SELECT account.disabled_at IS NOT NULL AS "isDisabled", token.id IS NOT NULL AS "hasToken",
              token.expires_at <= now() AS "isExpired"
         FROM users AS account LEFT JOIN tokens AS token ON token.id = $2 AND token.user_id = account.id
        WHERE account.id = $1`,
      [userId, tokenId],
    );
    if (row === undefined) return 'The user who saved it was deleted.';
    if (row.isDisabled) return 'The user who saved it is disabled.';
    if (tokenId === null) return null;
    if (!row.hasToken) return 'The API token with which it was saved was deleted.';
    return row.isExpired === true ? 'The API token with which it was saved has expired.' : null;
  }
}
