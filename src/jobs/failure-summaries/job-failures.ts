import type { Diagnosis, JobFailure } from './failure-rule.js';
import { lastErrors } from './last-errors.js';

/** Failures that the runner, or Slipway, names itself. */
interface JobFailureKind {
  readonly step?: string;
  readonly message: RegExp;
  readonly advice: readonly string[];
}

const MORE = 'Or ask the operator of the runner for a higher limit.';

const kinds: readonly JobFailureKind[] = [
  {
    step: 'sandbox',
    message: /\bmemory\b/i,
    advice: [
      'Use less memory: turn off source maps, or build fewer things at once.',
      'Let Node.js collect garbage earlier: set NODE_OPTIONS to --max-old-space-size=…, below the limit, in the environment.',
      MORE,
    ],
  },
  {
    step: 'sandbox',
    message: /\bprocess(?:es)?\b/i,
    advice: [
      'Start fewer processes at once: build tools have an option for the number of workers.',
      'Check for a script that starts itself.',
      MORE,
    ],
  },
  {
    step: 'sandbox',
    message: /\b(?:disk|space|bytes|files)\b/i,
    advice: ['Write less: large files of the repository, its history and caches count, too.', MORE],
  },
  {
    step: 'sandbox',
    message: /\b(?:time|seconds?|minutes?|hours?|long|longer)\b/i,
    advice: [
      'Check for a command that waits for input, or never ends, such as a server or a watcher.',
      'Or give the build a longer time limit.',
    ],
  },
  {
    message: /^Two runners were lost during the job\.$/,
    advice: [
      'Ask the operator of the runners for their logs: they were stopped, crashed or lost their connection.',
      'A build that uses up the memory of its machine can be the reason.',
    ],
  },
];

/** What the message of the job says by itself; `null`: only the log can say more. */
export function describeJobFailure(failure: JobFailure): Diagnosis | null {
  const { step, message } = failure;
  if (message === null) return null;
  const kind = kinds.find((known) => (known.step ?? step) === step && known.message.test(message));
  return kind === undefined ? null : { cause: message, lines: lastErrors(failure, 3), advice: kind.advice };
}
