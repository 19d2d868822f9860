import type { JobFailure } from './failure-rule.js';
import { isNoise } from './find-failure.js';

/** Lines at the end among which errors are looked for. */
const LOOKED_AT = 40;
const MAX_SHOWN = 10;

/** How lines that report an error begin. */
const error =
  /^[^\w]{0,9}(?:\w{1,40} ){0,3}?\[?(?:\w{0,60}(?:Error|Exception)\b|errors?\b|fatal\b|failed\b|cannot\b)/i;

/** The last lines from the first error among them on, or just the last lines. */
export function lastErrors({ lines, message }: JobFailure, count = MAX_SHOWN): readonly string[] {
  const last = lines
    .slice(-LOOKED_AT)
    .filter((line) => !isNoise(line) && line !== message && /[\p{L}\p{N}]/u.test(line));
  const first = last.findIndex((line) => error.test(line));
  return first === -1 ? last.slice(-count) : last.slice(first).slice(0, count);
}

const advice: Readonly<Record<string, readonly string[]>> = {
  source: ['Check the repository, the branch or tag, and the uploaded source. Then build again.'],
  configuration: [
    'Correct what the message names, such as a file of the project or a variable of the environment, and build what you committed.',
  ],
  install: ['Run the same command in a fresh clone on your machine: it does not have what is not committed.'],
  build: ['Run the same command in a fresh clone on your machine: it does not have what is not committed.'],
  native: [
    'Build with the same variant on your machine, in a fresh clone: it does not have what is not committed.',
  ],
  sign: [
    'Check the certificate of the build: its file and passwords, for Android its alias, for iOS its provisioning profiles.',
  ],
  output: [
    'For the web: let the build write an index.html into the webDir of the Capacitor configuration, or into dist, www or build.',
    'For Android and iOS: check the variant or scheme that is built.',
  ],
  sandbox: ['Ask the operator of the runner.'],
};

/** What to do when only the step is known. */
export function adviceFor(step: string | null): readonly string[] {
  return (
    (step === null ? undefined : advice[step]) ?? [
      'Read the end of the whole log, and build again after a correction.',
    ]
  );
}
