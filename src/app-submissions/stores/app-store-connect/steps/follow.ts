import type { SubmissionRun } from '../../../submission-steps/submission-run.js';
import type { StepResult } from '../../store.js';

/** Goes on as a step has returned. */
export function follow(run: SubmissionRun, result: StepResult): Promise<never> {
  switch (result.kind) {
    case 'next':
      return run.goOn(result.step, result.afterSeconds);
    case 'on':
      return run.giveWay(result.afterSeconds);
    case 'again':
      return run.tryAgain({
        afterSeconds: result.afterSeconds,
        ...(result.step !== undefined && { from: result.step }),
      });
    case 'wait':
      return run.wait({ key: result.waitsFor, message: result.message, afterSeconds: result.afterSeconds });
    case 'failed':
      return run.fail(result.message, result.release);
    case 'done':
      return run.done(result);
  }
}
