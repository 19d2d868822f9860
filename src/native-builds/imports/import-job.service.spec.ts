import { jest } from '@jest/globals';
import { NO_TURN, WAITS_FOR_TURN } from '../../common/background/shared-capacity.js';
import { ArtifactReaderBusyError } from '../../common/errors/app-error.js';
import type { WorkerJob } from '../../jobs/jobs/worker-jobs.service.js';
import type { WorkerRun } from '../../jobs/jobs/worker-run.js';
import { ImportJob } from './import-job.service.js';

/** What an import does at a step while other files are read: what it logs, and how it goes on or ends. */
async function runAt(step: number): Promise<{ lines: string[]; outcomes: unknown[] }> {
  const artifact = {
    id: 'artifact',
    type: 'aab',
    fileName: 'app.aab',
    fileSizeInBytes: 1000,
    blobId: 'blob',
  };
  let work: WorkerJob | undefined;
  const parts = [
    { getByJob: () => Promise.resolve({ id: 'build' }) },
    { listAll: () => Promise.resolve([artifact]) },
    { read: () => Promise.reject(new ArtifactReaderBusyError()) },
    {},
    {},
    { register: () => undefined },
    { register: (_kind: string, registered: WorkerJob) => (work = registered) },
  ];
  new ImportJob(...(parts as unknown as ConstructorParameters<typeof ImportJob>)).onModuleInit();
  const lines: string[] = [];
  const goOn = jest.fn(() => Promise.resolve());
  const fail = jest.fn(() => Promise.resolve());
  const log = (...added: string[]): Promise<void> => Promise.resolve(void lines.push(...added));
  const job = { id: 'job', appId: 'app', organizationId: 'organization', step };
  await work?.run({ job, log, goOn, fail } as unknown as WorkerRun);
  return { lines, outcomes: [...goOn.mock.calls, ...fail.mock.calls].flat() };
}

const READING = 'Reading app.aab: 1,000 bytes.';

it.each([0, 29])(
  'lets others pass after two minutes in which other files were read, as at step %d',
  async (step) => {
    expect(await runAt(step)).toEqual({
      lines: [READING, WAITS_FOR_TURN],
      outcomes: [{ waits: true, afterSeconds: 5 }],
    });
  },
);

it('fails after an hour of that, with what to do', async () => {
  expect(await runAt(30)).toEqual({ lines: [READING], outcomes: [NO_TURN] });
  expect(NO_TURN).toMatch(/an hour.* Try again when that has ended\.$/);
});
