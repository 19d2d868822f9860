import { type FindOperator, Raw } from 'typeorm';

/**
 * The id of a build of an app whose job has one of these statuses. An upload has no job: it is pending until its artifact is
 * there.
 */
export function inStatus(appId: string, statuses: readonly string[]): FindOperator<string> {
  return Raw(
    (column) =>
      `${column} IN (
         SELECT build.id FROM builds AS build LEFT JOIN jobs AS job ON job.id = build.job_id
          WHERE build.app_id = :statusAppId
            AND coalesce(CAST(job.status AS text), CASE WHEN EXISTS (
                  SELECT FROM build_artifacts AS artifact WHERE artifact.build_id = build.id AND artifact.status = 'pending'
                ) THEN 'pending' ELSE 'succeeded' END) IN (:...statuses))`,
    { statusAppId: appId, statuses: [...statuses] },
  );
}
