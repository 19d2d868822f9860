import { attemptNote, SUMMARY_NOTE } from './log-notes.js';
import { marksOf, StepFinder, toSteps } from './log-steps.js';
import type { JobStatus } from '../jobs/job.entity.js';

const time = (second: number): string => new Date(Date.UTC(2026, 2, 14, 9) + second * 1000).toISOString();

/** The steps of a log of which each chunk is received a second after the one before. */
function stepsOf(chunks: readonly string[], status: JobStatus = 'succeeded') {
  const finder = new StepFinder();
  let lines = 0;
  chunks.forEach((payload, second) => {
    for (const mark of marksOf(payload, lines + 1, time(second))) finder.add(mark);
    lines += payload.split('\n').length;
  });
  const finishedAt = status === 'in_progress' ? null : new Date(time(59));
  return toSteps(finder.steps, lines, { status, finishedAt });
}

const names = (chunks: readonly string[], status?: JobStatus): string[] =>
  stepsOf(chunks, status).map(
    ({ name, firstLine, lastLine, status: how }) => `${name} ${firstLine}-${lastLine} ${how}`,
  );

it('reads steps from the lines that begin and end them', () => {
  expect(
    names([
      '§ Fetching https://git.example/shop.git at 0123\n§ Fetching the source took 0.8 s',
      '§ Using Node.js 24.1.0\n§ Restoring the cache took 0.1 s\n§ The app has no cache yet',
      '§ Installing dependencies: npm ci\nadded 12 packages\n§ Installing dependencies took 9.2 s',
      '§ Building: npm run build\nbuilt\n§ Building took 1.0 s',
      '§ Packing 12 files to app.zip\n§ Packing took 0.2 s\n§ The cache of the app is up to date',
    ]),
  ).toEqual([
    'Fetching the source 1-2 succeeded',
    'Restoring the cache 3-4 succeeded',
    'Installing dependencies 6-8 succeeded',
    'Building 9-11 succeeded',
    'Packing 12-13 succeeded',
  ]);
});

it('says when they began and ended', () => {
  const [step] = stepsOf(['§ Building: npm run build', 'a', 'b\n§ Building took 1.5 s']);
  expect(step).toMatchObject({ startedAt: time(0.5), endedAt: time(2), attempt: 1 });
});

it.each([
  ['in_progress', 'running', null],
  ['failed', 'failed', time(59)],
  ['timed_out', 'failed', time(59)],
  ['canceled', 'canceled', time(59)],
] as const)('of a job that is %s, the last one is %s', (job, status, endedAt) => {
  const steps = stepsOf(['§ Installing dependencies: npm ci\na', 'b'], job);
  expect(steps).toEqual([
    {
      name: 'Installing dependencies',
      firstLine: 1,
      lastLine: 3,
      startedAt: time(0),
      endedAt,
      status,
      attempt: 1,
    },
  ]);
});

it('knows the one whose command has failed, and leaves the explanation out', () => {
  const log = [
    '§ Installing dependencies: npm ci\n§ Installing dependencies took 3.0 s',
    '§ Building: npm run build\nERROR\n§ Building took 2.0 s',
    '§ Builds do not reach npm.example\n§ The command "npm run build" failed with exit code 1.',
    SUMMARY_NOTE,
    'The step "build" failed.\n\nWhat to do:\n- Nothing.',
  ];
  expect(names(log, 'failed')).toEqual(['Installing dependencies 1-2 succeeded', 'Building 3-7 failed']);
  expect(
    names(
      ['§ Building: npm run build\nx', '§ The build printed nothing for 5 s.', SUMMARY_NOTE],
      'timed_out',
    ),
  ).toEqual(['Building 1-3 failed']);
});

it('begins again with the second attempt', () => {
  const log = [
    '§ Building: npm run build\na',
    attemptNote(2),
    '§ Building: npm run build',
    '§ Building took 1.0 s',
  ];
  expect(stepsOf(log).map(({ attempt, status, lastLine }) => [attempt, status, lastLine])).toEqual([
    [1, 'failed', 2],
    [2, 'succeeded', 5],
  ]);
});

it('does not take notes for steps', () => {
  expect(
    names([
      '§ Downloading the source: 120 bytes\n§ Unpacking the source',
      '§ Fetching the source took 0.1 s',
      '§ WARNING: The certificate expired on 2026-01-01\n§ The configuration sets the version: 1.2',
    ]),
  ).toEqual(['Fetching the source 1-3 succeeded']);
  expect(names(['Building: npm run build\nBuilding took 1.0 s', 'a § Building: x'])).toEqual([]);
});

it('keeps at most 1,000, and reads a bounded part of each chunk', () => {
  const many = Array.from({ length: 5000 }, (_, n) => `§ Building ${n}: x\n§ Building ${n} took 1.0 s`);
  expect(stepsOf([many.join('\n')])).toHaveLength(50);
  const log = Array.from({ length: 1500 }, (_, n) => `§ Building ${n}: x\n§ Building ${n} took 1.0 s`);
  expect(stepsOf(log)).toHaveLength(1000);
});
