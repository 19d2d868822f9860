/** Knows which app a job belongs to: jobs are not below their app in the path. Provided by jobs. */
export abstract class JobApps {
  /** @param jobId a UUID @returns the id of the app; `null`: there is no such job */
  abstract appOf(jobId: string): Promise<string | null>;
}
