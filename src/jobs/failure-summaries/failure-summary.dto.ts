/** Why a job has failed. */
export class FailureSummaryDto {
  /**
   * Plain text of several lines, at most 2,000 characters: the failing step, the cause, the lines of the log that show it,
   * and what to do. Secrets are masked.
   * @example 'The step "build" failed. The code imports dayjs, which is not installed.'
   */
  summary!: string;
}
