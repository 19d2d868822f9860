import type { OwnSite } from '../servers/own-site.js';

/** A change of the status of a job. */
export interface JobMoment extends Record<string, unknown> {
  readonly jobId: string;
  readonly organizationId: string;
  readonly from: string;
  readonly to: string;
}

const RUNNING = ['pending', 'in_progress'];

/** Makes the database of a site note every change of the status of a job that is committed. */
export async function noteJobMoments(site: OwnSite): Promise<void> {
  await site.query(`
    CREATE TABLE job_moments (
      job_id uuid NOT NULL,
      organization_id uuid NOT NULL,
      before text NOT NULL,
      after text NOT NULL,
      at timestamptz NOT NULL DEFAULT clock_timestamp(),
      number bigint GENERATED ALWAYS AS IDENTITY
    );
    CREATE FUNCTION note_job_moment() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO job_moments (job_id, organization_id, before, after)
      VALUES (NEW.id, NEW.organization_id, OLD.status, NEW.status);
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_job_moment AFTER UPDATE ON jobs FOR EACH ROW
      WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION note_job_moment()`);
}

/** What was noted, in order. */
export function jobMoments(site: OwnSite): Promise<JobMoment[]> {
  return site.query<JobMoment>(
    `SELECT job_id AS "jobId", organization_id AS "organizationId", before AS "from", after AS "to"
       FROM job_moments ORDER BY at, number`,
  );
}

/** The largest number of jobs of an organization that ran at once. */
export function peakOf(moments: readonly JobMoment[], organizationId: string): number {
  let running = 0;
  let peak = 0;
  for (const moment of moments) {
    if (moment.organizationId !== organizationId) continue;
    running += Number(RUNNING.includes(moment.to)) - Number(RUNNING.includes(moment.from));
    peak = Math.max(peak, running);
  }
  return peak;
}
