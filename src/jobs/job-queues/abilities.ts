/** What a job needs of its runner. */
export interface JobNeeds {
  readonly organizationId: string;
  readonly appId: string;
  readonly platform: string;
  readonly stack: string;
  readonly labels: readonly string[];
}

/** What a runner can do, and for whom. */
export interface RunnerAbilities {
  /** `null`: it serves all organizations. */
  readonly organizationId: string | null;
  /** `null`: all apps. */
  readonly appIds: readonly string[] | null;
  readonly platforms: readonly string[];
  readonly stacks: readonly string[];
  readonly labels: readonly string[];
}

/**
 * Whether a runner may take a job. A stack is only a hint, except for iOS, whose stack is the version of macOS.
 * `JobQueuesQueries.jobs` selects by the same rule; `candidate-jobs.spec.ts` compares the two.
 */
export function fits(job: JobNeeds, runner: RunnerAbilities): boolean {
  return (
    serves(job, runner) &&
    runner.platforms.includes(job.platform) &&
    hasStack(job, runner) &&
    job.labels.every((label) => runner.labels.includes(label))
  );
}

/**
 * What a job needs that no runner has, as one sentence; `null`: a runner fits.
 *
 * @param runners every runner that is registered, whether it is in contact or not
 */
export function missingFor(job: JobNeeds, runners: readonly RunnerAbilities[]): string | null {
  if (runners.some((runner) => fits(job, runner))) return null;
  const serving = runners.filter((runner) => serves(job, runner));
  if (serving.length === 0) return 'No runner is registered for this app.';
  const capable = serving.filter(({ platforms }) => platforms.includes(job.platform));
  if (capable.length === 0) return `No runner builds for the platform ${job.platform}.`;
  const suitable = capable.filter((runner) => hasStack(job, runner));
  if (suitable.length === 0) return `No runner for ${job.platform} has the stack ${job.stack}.`;
  const absent = job.labels.filter((label) => suitable.every(({ labels }) => !labels.includes(label)));
  return absent.length > 0
    ? `No runner for ${job.platform} has the ${named(absent)}.`
    : `No runner for ${job.platform} has all of the ${named(job.labels)}.`;
}

function serves(job: JobNeeds, { organizationId, appIds }: RunnerAbilities): boolean {
  return (
    (organizationId === null || organizationId === job.organizationId) &&
    (appIds === null || appIds.includes(job.appId))
  );
}

function hasStack(job: JobNeeds, { stacks }: RunnerAbilities): boolean {
  return job.platform !== 'ios' || stacks.includes(job.stack);
}

function named(labels: readonly string[]): string {
  return `${labels.length === 1 ? 'label' : 'labels'} ${labels.join(', ')}`;
}
