/** The folders of one job, as the runner sees them. They are removed after the job. */
export interface JobFolders {
  /** Contains the others. Builds do not see what else is in it. */
  readonly root: string;
  /** The working copy of the project. */
  readonly repo: string;
  /** `HOME` of the build. */
  readonly home: string;
  /** Caches of package managers: a copy that only this job has. */
  readonly cache: string;
  /** What the runner makes of the build, such as zips. Not in the sandbox. */
  readonly artifacts: string;
}

/** The same folders as the commands of the build see them. */
export type InnerFolders = Pick<JobFolders, 'repo' | 'home' | 'cache'>;
