import { randomUUID } from 'node:crypto';
import { removeFolder } from '../../src/runner/folders/remove-folder.js';
import { NoSandbox } from '../../src/runner/sandbox/none.js';
import { eventually } from '../support/eventually.js';
import { type Job, markedProcesses, newMark, openJob, options } from '../support/runners/sandbox/jobs.js';

describe('no sandbox', () => {
  let job: Job;
  let mark: string;

  beforeAll(async () => {
    job = await openJob({}, undefined, new NoSandbox(options));
  });
  beforeEach(() => {
    mark = newMark();
  });
  afterAll(() => removeFolder(job.folders.root));

  it('is not safe, and says so in every log', () => {
    expect(new NoSandbox(options).isSafe).toBe(false);
    expect(job.sandbox.notes[0]).toContain('WARNING: This runner has no sandbox.');
  });

  it('runs commands in the folders of the job, without the environment of the runner', async () => {
    process.env['RUNNER_TEST_SECRET'] = mark;
    const { output } = await job.sh('pwd; env', { env: { A: 'b' } });
    delete process.env['RUNNER_TEST_SECRET'];
    expect(output).toContain(job.folders.repo);
    expect(output).toContain(`HOME=${job.folders.home}`);
    expect(output).toContain('A=b');
    expect(output).not.toContain(mark);
  });

  it('reports how a command ends', async () => {
    await expect(job.sh('echo out; echo err >&2; exit 7')).resolves.toEqual({
      exitCode: 7,
      limit: null,
      output: 'out\nerr\n',
    });
    await expect(job.sh('kill -9 $$')).resolves.toMatchObject({ exitCode: 137 });
    await expect(job.run([`no-such-${randomUUID()}`])).resolves.toMatchObject({ exitCode: 127 });
  });

  it('leaves no process behind that it can find', async () => {
    const script =
      'sleep 1000 & setsid sleep 1000 & ( ( nohup setsid sleep 1000 & ) & ); sleep 0.3; echo done';
    const end = await job.sh(script, { env: { MARK: mark } });
    expect(end.output).toContain('done');
    await eventually(() => expect(markedProcesses(mark)).toEqual([]));
  });

  it('ends a command with the signal', async () => {
    const controller = new AbortController();
    const running = job.sh('trap "" TERM; setsid sleep 1000 & while :; do sleep 1; done', {
      env: { MARK: mark },
      signal: controller.signal,
    });
    await eventually(() => expect(markedProcesses(mark).length).toBeGreaterThan(1));
    controller.abort(new Error('The job was canceled.'));
    await expect(running).rejects.toThrow('The job was canceled.');
    await eventually(() => expect(markedProcesses(mark)).toEqual([]));
  });

  it.each(['..', '/', 'a/../..'])('runs in no folder %j', async (cwd) => {
    await expect(job.sh('pwd', { cwd })).rejects.toThrow(RangeError);
  });
});
