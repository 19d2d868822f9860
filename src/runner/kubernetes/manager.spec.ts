import type { ClaimResponseDto } from '../../jobs/runner-sessions/runner-session.dto.js';
import { type KubernetesApi, KubernetesError } from './kubernetes-api.js';
import type { LeaseStatus, ManagerApi } from './manager-api.js';
import { Manager } from './manager.js';

const JOB_ID = '01a204a5-a203-706c-aed3-ec939bca5626';
const claim = {
  job: { id: JOB_ID, appId: JOB_ID, timeoutSeconds: 60 },
  jobToken: 'slj_token',
} as unknown as ClaimResponseDto;

/** A manager of one slot that gets one job, and what it does. */
function scene(statuses: LeaseStatus[], startSeconds: number) {
  const lines: string[] = [];
  const calls: string[] = [];
  const stopping = new AbortController();
  const claims = [claim];
  const api = {
    open: () => Promise.resolve({ id: 's', runnerId: JOB_ID, beatSeconds: 0.02 }),
    claim: (_session: unknown, _id: string, _free: number, signal: AbortSignal) => {
      const next = claims.shift();
      if (next !== undefined) return Promise.resolve(next);
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    },
    extend: () => {
      calls.push('extend');
      return Promise.resolve(statuses.shift() ?? 'pending');
    },
    end: () => Promise.resolve(void calls.push('end')),
  } as unknown as ManagerApi;
  const failures: Error[] = [];
  const kubernetes = {
    create: (resource: string, { metadata }: { metadata: { name: string } }) => {
      calls.push(`create ${resource}`);
      const failure = failures.shift();
      return failure ? Promise.reject(failure) : Promise.resolve({ metadata: { ...metadata, uid: 'u' } });
    },
    list: () => Promise.resolve({ items: [], metadata: {} }),
    delete: (resource: string) => Promise.resolve(void calls.push(`delete ${resource}`)),
  } as unknown as KubernetesApi;
  const pod = {
    apiUrl: 'http://api',
    agentImage: 'a',
    buildImage: 'b',
    cpu: '1',
    memoryMiB: 1,
    diskMiB: 1,
    env: {},
    template: {},
  };
  const manager = new Manager(api, kubernetes, {
    slots: 2,
    pod,
    startSeconds,
    print: (line) => lines.push(line.replaceAll(/slipway-build-\S+[0-9a-f]/g, 'POD')),
  });
  return { lines, calls, failures, stopping, done: manager.run(stopping.signal) };
}

const settle = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

it('renews the lease of a job until its pod does, with two requests to Kubernetes', async () => {
  const { calls, stopping, done, lines } = scene(['pending', 'pending', 'in_progress'], 60);
  await settle(300);
  stopping.abort();
  await done;
  const created = ['create batch/v1/jobs', 'create v1/secrets'];
  expect(calls).toEqual([...created, 'extend', 'extend', 'extend', 'end']);
  expect(lines).toContain(`Job ${JOB_ID} runs in POD.`);
});

it('removes a pod that does not start in time, and lets the lease of its job end', async () => {
  const { calls, stopping, done, lines } = scene([], 0.1);
  await settle(400);
  const extended = calls.filter((call) => call === 'extend').length;
  stopping.abort();
  await done;
  expect(calls.slice(-2)).toEqual(['delete batch/v1/jobs', 'end']);
  expect(extended).toBeLessThan(10);
  expect(lines).toContain(`Job ${JOB_ID} goes back: POD has not started.`);
});

it('removes the pod of a job that is not its own any more', async () => {
  const { calls, stopping, done } = scene(['pending', 'gone'], 60);
  await settle(200);
  stopping.abort();
  await done;
  expect(calls.slice(-3)).toEqual(['extend', 'delete batch/v1/jobs', 'end']);
});

it('never renews the lease of a job whose Secret was refused', async () => {
  const { calls, failures, stopping, done, lines } = scene([], 60);
  failures.push(
    undefined as unknown as Error,
    new KubernetesError(403, 'Forbidden', 'exceeded quota.', null),
  );
  await settle(200);
  stopping.abort();
  await done;
  expect(calls).toEqual(['create batch/v1/jobs', 'create v1/secrets', 'delete batch/v1/jobs', 'end']);
  expect(lines.join(' ')).toContain(
    `Job ${JOB_ID} goes back to the queue: exceeded quota (403). Next try in 5 seconds.`,
  );
});
