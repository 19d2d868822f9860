import { randomUUID } from 'node:crypto';
import { LeaseTokens } from '../../../src/jobs/job-leases/lease-token.js';
import { ENCRYPTION_KEY } from '../../setup/server.js';
import { type CommandKind, hasHolds, holdOf, replicaOf, runnerOf } from './job-command.js';
import { type Hold, LEASE_SECONDS, type SimulatedRunner } from './job-model.js';
import type { JobScene } from './job-scene.js';
import type { SimulatedResponse, Replica } from './replica.js';

/** How long claims may wait that must get a job, in milliseconds: longer than a look without a notification. */
const PATIENCE = 18_000;
/** How long claims wait that need not get one, in milliseconds. */
const GLANCE = 30;

interface ClaimBody extends Record<string, unknown> {
  readonly job: { readonly id: string; readonly attempt: number };
  readonly jobToken: string;
  readonly lease: { readonly expiresAt: string };
}

function sendClaim(
  scene: JobScene,
  replica: Replica,
  runner: SimulatedRunner,
  claimId: string,
  signal: AbortSignal,
): Promise<SimulatedResponse> {
  const body = { sessionId: runner.sessionId, claimId, free: runner.slots };
  return scene.send(replica, {
    method: 'POST',
    path: '/v1/runner/claims',
    token: runner.token,
    body,
    signal,
  });
}

/** Notes a job that a runner got. */
function hold(scene: JobScene, runner: SimulatedRunner, claimId: string, { body }: SimulatedResponse): Hold {
  const { job, jobToken, lease } = body as ClaimBody;
  const leaseId = new LeaseTokens([ENCRYPTION_KEY]).read(jobToken)?.leaseId ?? '';
  const { model } = scene;
  // It may be of a build whose creation got no answer.
  model.addJob(job.id);
  const held: Hold = {
    leaseId,
    jobId: job.id,
    token: jobToken,
    attempt: job.attempt,
    claimId,
    runner,
    sessionId: runner.sessionId,
    isStarted: false,
    isSessionOver: false,
    lines: 0,
    endsAsked: new Set(),
  };
  model.holds.push(held);
  model.change(job.id, {
    status: 'pending',
    leaseId,
    sessionId: runner.sessionId,
    expiresAt: Date.parse(lease.expiresAt) + scene.world.postgres.added,
    grantedAt: Date.parse(lease.expiresAt) - LEASE_SECONDS * 1000 + scene.world.postgres.added,
    loggedAt: Date.parse(lease.expiresAt) + scene.world.postgres.added,
  });
  return held;
}

/**
 * Sends claims of a runner at once, to both replicas in turn.
 *
 * @param must whether one of them at least must get a job
 */
export async function claim(
  scene: JobScene,
  runner: SimulatedRunner,
  count: number,
  first: number,
  must = scene.model.claimable(runner, count) > 0,
): Promise<Hold[]> {
  const gone = new AbortController();
  const held: Hold[] = [];
  const leave = (): void => gone.abort();
  let timer = setTimeout(leave, must ? PATIENCE : GLANCE);
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const claimId = randomUUID();
      const replica = replicaOf(scene, first + index);
      const answer = await sendClaim(scene, replica, runner, claimId, gone.signal);
      if (answer.status === 200) {
        held.push(hold(scene, runner, claimId, answer));
        // The others have had their chance.
        clearTimeout(timer);
        timer = setTimeout(leave, GLANCE);
      } else if (answer.status === 409) expect(runner.isEnded).toBe(true);
      else expect([0, 204]).toContain(answer.status);
    }),
  );
  clearTimeout(timer);
  const isDisturbed = scene.world.replicas.some((replica) => replica.isDisturbed);
  if (must && held.length === 0 && !isDisturbed)
    throw new Error('No claim got a job, although there was one for it.');
  return held;
}

/** Opens a session, as a runner that starts again does. */
export async function openSession(scene: JobScene, replica: Replica, runner: SimulatedRunner): Promise<void> {
  endHolds(scene, runner);
  const { status, body } = await scene.send(replica, {
    method: 'POST',
    path: '/v1/runner/sessions',
    token: runner.token,
    body: {
      version: '1.0.0',
      os: 'linux',
      arch: 'x64',
      platforms: ['web'],
      stacks: [],
      labels: [],
      slots: runner.slots,
    },
  });
  if (status === 201) {
    runner.sessionId = body['id'] as string;
    runner.isEnded = false;
  } else {
    // Without an answer, the session may be another one: claims are refused, or not.
    expect(status).toBe(0);
    runner.isEnded = true;
  }
}

function endHolds({ model }: JobScene, runner: SimulatedRunner): void {
  for (const held of model.holds) if (held.runner === runner) held.isSessionOver = true;
}

export const claimCommands: readonly CommandKind[] = [
  {
    name: 'claim',
    run: async (scene, [runner, count, replica]) => {
      await claim(scene, runnerOf(scene, runner), (count % 4) + 1, replica);
    },
  },
  {
    name: 'claimAgain',
    isPossible: hasHolds,
    run: async (scene, [choice, replica]) => {
      const held = holdOf(scene, choice);
      const { runner, claimId, jobId, leaseId } = held;
      if (runner.isEnded || held.sessionId !== runner.sessionId) return;
      const answer = await sendClaim(
        scene,
        replicaOf(scene, replica),
        runner,
        claimId,
        AbortSignal.timeout(500),
      );
      expect([0, 200]).toContain(answer.status);
      if (answer.status !== 200) return;
      const { job, jobToken } = answer.body as ClaimBody;
      if (jobToken === held.token) expect([job.id, job.attempt]).toEqual([jobId, held.attempt]);
      else {
        // The lease was over, so the claim is a new one.
        expect((await scene.read()).jobs.get(jobId)?.leaseId).not.toBe(leaseId);
        hold(scene, runner, claimId, answer);
      }
    },
  },
  {
    name: 'openSession',
    run: (scene, [runner, replica]) => openSession(scene, replicaOf(scene, replica), runnerOf(scene, runner)),
  },
  {
    name: 'endSession',
    run: async (scene, [choice, replica]) => {
      const runner = runnerOf(scene, choice);
      endHolds(scene, runner);
      const { status } = await scene.send(replicaOf(scene, replica), {
        method: 'DELETE',
        path: `/v1/runner/sessions/${runner.sessionId}`,
        token: runner.token,
      });
      expect([0, 204]).toContain(status);
      runner.isEnded = true;
    },
  },
];
