import type { Diagnosis, JobFailure } from './failure-rule.js';
import { lastErrors } from './last-errors.js';
import { KILLED } from './rules/machine.rules.js';

/** A limit of the sandbox, by the words of the sentence about it. */
interface Limit {
  readonly words: RegExp;
  readonly advice: readonly string[];
}

const MORE = 'Or ask the operator of the runner for a higher limit.';

const TIME_ADVICE = [
  'Check for a command that waits for input, or never ends, such as a server or a watcher, or that kill -STOP has stopped.',
  'Or give the build a longer time limit.',
];

const limits: readonly Limit[] = [
  {
    words: /^The build stopped /,
    advice: [
      'Check the scripts for kill -STOP, pkill -STOP and killall -STOP: kill -STOP -1 stops every process of the build, also the shell that runs it.',
      'Stop a process by its number, and let the same script continue it: kill -CONT.',
    ],
  },
  {
    words: /\bmemory\b/i,
    advice: [
      'Use less memory: turn off source maps, or build fewer things at once.',
      'Let Node.js collect garbage earlier: set NODE_OPTIONS to --max-old-space-size=…, below the limit, in the environment.',
      MORE,
    ],
  },
  {
    words: /\bprocess(?:es)?\b/i,
    advice: [
      'Start fewer processes at once: build tools have an option for the number of workers.',
      'Check for a script that starts itself.',
      MORE,
    ],
  },
  {
    words: /\b(?:disk|space|bytes|files)\b/i,
    advice: ['Write less: large files of the repository, its history and caches count, too.', MORE],
  },
  { words: /\b(?:time|seconds?|minutes?|hours?|long|longer)\b/i, advice: TIME_ADVICE },
];

/** How runners begin the sentence about a limit, in whichever step it was reached. */
const exceeded = /^The build (?:(?:needs|needed|uses|used|starts|started|writes|wrote) more|stopped) /;

const LOST = 'Two runners were lost during the job.';
const LOST_ADVICE = [
  'Ask the operator of the runners for their logs: they were stopped, crashed or lost their connection.',
  'A build that uses up the memory of its machine can be the reason.',
];

/** How logs of submissions begin what a store has said. */
const said = /^[\w ]{1,40} says: /;

/** The message says what is wrong, and then what to do. */
function describeSubmissionFailure(message: string, lines: readonly string[]): Diagnosis {
  const [cause = message, ...advice] = message.split(/(?<=[.!?]) (?=\p{Lu})/u);
  return {
    cause,
    lines: lines.filter((line) => said.test(line)).slice(-3),
    advice: advice.length > 0 ? advice : ['Read the log of the job, and submit again.'],
  };
}

/** What the message of the job says without the log; `null`: only the log can say more. */
export function describeJobFailure(failure: JobFailure): Diagnosis | null {
  const { message } = failure;
  if (message === null) return null;
  if (failure.isSubmission) return describeSubmissionFailure(message, failure.lines);
  if (failure.isTimedOut) return { cause: message, lines: lastErrors(failure, 3), advice: TIME_ADVICE };
  const advice = message === LOST ? LOST_ADVICE : limitAdvice(failure.step, message);
  return advice === null ? null : { cause: message, lines: lastErrors(failure, 3), advice };
}

function limitAdvice(step: string | null, message: string): readonly string[] | null {
  if (step !== 'sandbox' && !exceeded.test(message)) return null;
  return limits.find(({ words }) => words.test(message))?.advice ?? null;
}

/** 128 and the number of SIGKILL. */
const killed = /\bexit code 137\b/;

/** What the exit code in the message says, where the log says nothing; `null`: nothing, either. */
export function describeExitCode(failure: JobFailure): Diagnosis | null {
  const { message } = failure;
  if (message === null || !killed.test(message)) return null;
  return {
    cause: `${message} ${KILLED.cause}`,
    lines: lastErrors(failure, 3),
    advice: KILLED.advice,
  };
}
