import { jest } from '@jest/globals';
import { JobControl, JobStop } from './job-control.js';
import { TimeLimit } from './time-limits.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const start = (): { control: JobControl; limit: TimeLimit } => {
  const control = new JobControl(new AbortController().signal);
  return { control, limit: new TimeLimit({ timeoutSeconds: 100, idleSeconds: 30 }, control) };
};

it('ends a build that prints nothing', () => {
  const { control, limit } = start();
  jest.advanceTimersByTime(29_000);
  limit.touch();
  jest.advanceTimersByTime(29_000);
  expect(control.build.aborted).toBe(false);
  jest.advanceTimersByTime(1000);
  expect(control.build.reason).toEqual(new JobStop('timed_out', 'The build printed nothing for 30 s.'));
  expect(control.job.aborted).toBe(false);
});

it('ends a build that takes too long, whatever it prints', () => {
  const { control, limit } = start();
  for (let second = 0; second < 100; second++) {
    expect(control.build.aborted).toBe(false);
    jest.advanceTimersByTime(1000);
    limit.touch();
  }
  expect((control.build.reason as JobStop).message).toBe(
    'The job took longer than its time limit of 1 min 40 s.',
  );
});

it('ends nothing afterwards', () => {
  const { control, limit } = start();
  limit.end();
  jest.advanceTimersByTime(1_000_000);
  expect(control.build.aborted).toBe(false);
});
