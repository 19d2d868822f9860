/**
 * The job of a run was canceled or deleted, has timed out, or another worker has it: the run stops, and writes nothing.
 */
export class WorkerRunLostError extends Error {
  constructor(jobId: string) {
    super(`The job ${jobId} has ended, or another worker has it.`);
    this.name = new.target.name;
  }
}
