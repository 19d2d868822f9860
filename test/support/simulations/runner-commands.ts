import { cancel } from './build-commands.js';
import { type CommandKind, hasHolds, holdOf, replicaOf } from './job-command.js';
import { logOf } from './job-invariants.js';
import { type Hold, LEASE_SECONDS } from './job-model.js';
import type { JobScene } from './job-scene.js';
import type { SimulatedResponse, Call, Replica } from './replica.js';

const ENDS = ['failed', 'timed_out', 'succeeded'] as const;

/**
 * Sends what a runner says about its job.
 *
 * @throws Error when the server accepts it although another runner has got the job before
 */
async function report(
  scene: JobScene,
  replica: Replica,
  hold: Hold,
  call: Omit<Call, 'token'>,
): Promise<SimulatedResponse> {
  const isLate = scene.model.isSuperseded(hold);
  const answer = await scene.send(replica, { ...call, token: hold.token });
  const isRepeatedEnd =
    call.path.endsWith('/finish') && scene.model.job(hold.jobId).end?.leaseId === hold.leaseId;
  if (isLate && answer.status >= 200 && answer.status < 300 && !isRepeatedEnd)
    throw new Error('A server accepted a request of a runner although another one has the job.');
  expect([0, 200, 202, 400, 409, 410]).toContain(answer.status);
  return answer;
}

/** Notes that the lease lasts from now on, at least. */
function extend({ model }: JobScene, { jobId }: Hold, clock: number): void {
  const row = model.last.jobs.get(jobId);
  if (row !== undefined)
    model.change(jobId, { expiresAt: Math.max(row.expiresAt, clock + LEASE_SECONDS * 1000) });
}

export async function start(scene: JobScene, replica: Replica, hold: Hold): Promise<boolean> {
  const clock = await scene.clock();
  const { status } = await report(scene, replica, hold, { method: 'POST', path: '/v1/runner/job/start' });
  if (status !== 200) return false;
  hold.isStarted = true;
  extend(scene, hold, clock);
  scene.model.change(hold.jobId, { status: 'in_progress' });
  return true;
}

/** Sends lines of the log, from the ones that are acknowledged on or some lines before. */
async function log(
  scene: JobScene,
  replica: Replica,
  hold: Hold,
  lines: number,
  again: number,
): Promise<void> {
  const clock = await scene.clock();
  const from = logOf(hold.leaseId, Math.max(0, hold.lines - again)).length;
  const text = logOf(hold.leaseId, hold.lines + lines);
  const { status } = await report(scene, replica, hold, {
    method: 'PATCH',
    path: '/v1/runner/job/log',
    body: text.slice(from),
    headers: { 'upload-offset': String(from) },
  });
  if (status === 202) {
    hold.lines += lines;
    extend(scene, hold, clock);
  } else if (status === 409) expect(hold.isStarted).toBe(false);
}

/** Ends a job as its runner does. */
export async function finish(
  scene: JobScene,
  replica: Replica,
  hold: Hold,
  end: (typeof ENDS)[number] = 'failed',
): Promise<void> {
  hold.endsAsked.add(end);
  const { status, body } = await report(scene, replica, hold, {
    method: 'POST',
    path: '/v1/runner/job/finish',
    body: { attempt: hold.attempt, status: end, logBytes: logOf(hold.leaseId, hold.lines).length },
  });
  const job = scene.model.job(hold.jobId);
  if (status === 200) {
    // A repeated one gets the status of the first.
    if (job.end === null) job.end = { leaseId: hold.leaseId, status: body['status'] as string };
    expect(job.end).toEqual({ leaseId: hold.leaseId, status: body['status'] });
    expect(hold.endsAsked).toContain(body['status']);
  }
}

export const runnerCommands: readonly CommandKind[] = [
  {
    name: 'start',
    isPossible: hasHolds,
    run: async (scene, [choice, replica]) => {
      await start(scene, replicaOf(scene, replica), holdOf(scene, choice));
    },
  },
  {
    name: 'renew',
    isPossible: hasHolds,
    run: async (scene, [choice, replica, idle]) => {
      const hold = holdOf(scene, choice);
      const clock = await scene.clock();
      const body = idle % 2 === 0 ? {} : { idleSeconds: idle % 5 };
      const { status } = await report(scene, replicaOf(scene, replica), hold, {
        method: 'PUT',
        path: '/v1/runner/job/lease',
        body,
      });
      if (status === 200) extend(scene, hold, clock);
    },
  },
  {
    name: 'log',
    isPossible: hasHolds,
    run: (scene, [choice, replica, lines]) =>
      log(scene, replicaOf(scene, replica), holdOf(scene, choice), (lines % 3) + 1, lines % 5),
  },
  {
    name: 'finish',
    isPossible: hasHolds,
    run: async (scene, [choice, replica, end]) => {
      await finish(scene, replicaOf(scene, replica), holdOf(scene, choice), ENDS[end % 2]);
    },
  },
  {
    name: 'finishTwice',
    isPossible: hasHolds,
    run: async (scene, [choice, replica]) => {
      const hold = holdOf(scene, choice);
      await Promise.all(
        ENDS.slice(0, 2).map((end, index) => finish(scene, replicaOf(scene, replica + index), hold, end)),
      );
    },
  },
  {
    name: 'finishWhileCanceled',
    isPossible: hasHolds,
    run: async (scene, [choice, replica]) => {
      const hold = holdOf(scene, choice);
      if (!scene.model.jobs.has(hold.jobId)) return;
      await Promise.all([
        finish(scene, replicaOf(scene, replica), hold),
        cancel(scene, replicaOf(scene, replica + 1), hold.jobId),
      ]);
    },
  },
];
