import { query } from '../../../setup/databases.js';
import { pick } from '../job-command.js';
import type { Call, Replica, SimulatedResponse } from '../replica.js';
import { violationsOf } from './submission-invariants.js';
import { SubmissionModel, type SubmissionRow } from './submission-model.js';
import type { SubmissionWorld } from './submission-world.js';

const READ = `
  SELECT submission.id, job.id AS "jobId", artifact_id AS "artifactId", destination_id AS "destinationId",
         package_name AS "packageName", version_code AS "versionCode", track, state, status, message,
         status_message AS "statusMessage", external->>'editId' AS "editId", commit_sent_at AS "commitSentAt",
         waits_for AS "waitsFor", sealed_upload AS "sealedUpload", edit.key IS NOT NULL AS "hasEdit",
         EXISTS (SELECT FROM queue.job AS task
                  WHERE task.name LIKE 'submission-cleanups%' AND task.state < 'completed'
                    AND task.data->>'submissionId' = submission.id::text) AS "isCleaning"
    FROM submissions AS submission
    JOIN jobs AS job ON job.id = job_id
    LEFT JOIN store_turns AS edit ON edit.submission_id = submission.id
   ORDER BY submission.id`;

/** One run: what is submitted to a new Google Play, and what has happened to it. */
export class SubmissionScene {
  /** What happened, for people who read a failure. */
  readonly trace: string[] = [];
  readonly model = new SubmissionModel();

  private constructor(readonly world: SubmissionWorld) {}

  static async create(world: SubmissionWorld): Promise<SubmissionScene> {
    await world.jobs.settle();
    const scene = new SubmissionScene(world);
    // Also what a run has left that failed.
    await scene.query(`DELETE FROM queue.job WHERE name LIKE 'submission%'`);
    await scene.query('DELETE FROM deployments WHERE destination_id IS NOT NULL');
    await scene.query(`DELETE FROM jobs WHERE kind = 'submission'`);
    // A request whose response was lost gets the same one again, which names what is gone.
    await scene.query('DELETE FROM stored_responses');
    await world.clear();
    await scene.observe();
    return scene;
  }

  query<T extends Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<T[]> {
    return query<T>(this.world.jobs.databaseUrl, sql, values);
  }

  replica(choice: number): Replica {
    return pick(this.world.jobs.replicas, choice);
  }

  /**
   * Sends a request to a replica, as the owner of an app.
   *
   * @returns the status 0 where it is not known what the request did
   * @throws Error for an answer that no request may get: 500, or 503 without an outage
   */
  async send(replica: Replica, app: number, call: Omit<Call, 'token'>): Promise<SimulatedResponse> {
    const isDisturbed = replica.isDisturbed;
    const token = this.world.apps[app]?.tenant.owner.token ?? '';
    const answer = await replica.send({ ...call, token });
    const detail = answer.status >= 400 ? ` ${JSON.stringify(answer.body)}` : '';
    this.trace.push(
      `  ${call.method} ${call.path} ${JSON.stringify(call.body ?? null).slice(0, 200)}: ${answer.status}${detail}`,
    );
    const isOutage = answer.status === 503 && (isDisturbed || replica.isDisturbed);
    if (answer.status >= 500 && !isOutage)
      throw new Error(`A request got ${answer.status}: ${JSON.stringify(answer.body)}`);
    return isOutage ? { status: 0, body: {} } : answer;
  }

  read(): Promise<SubmissionRow[]> {
    return this.query<SubmissionRow>(READ);
  }

  /** Reads everything. @throws Error that says what must not be */
  async observe(): Promise<void> {
    // In this order: a release is there before its submission says so.
    const now = await this.read();
    const committed = [...this.world.play.committed];
    this.trace.push(
      `  ${now.map(({ versionCode, track, state, status }) => `${versionCode}/${track}:${state}:${status}`).join(' ')}`,
    );
    const violations = violationsOf(this.model, now, committed);
    if (violations.length > 0) throw new Error(violations.join('\n'));
    this.model.last = now;
  }
}
