import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFinal } from './job-invariants.js';
import { type CommandKind, pick, replicaOf } from './job-command.js';
import type { JobScene } from './job-scene.js';
import type { Replica } from './replica.js';

/** Limits that are set; 0: any number. */
const LIMITS = [1, 1, 2, 3, 0];

/** Requests a build. Without an answer, it is noted as one that may exist. */
export async function createBuild(
  scene: JobScene,
  replica: Replica,
  app: number,
  key: string = randomUUID(),
  signal?: AbortSignal,
): Promise<void> {
  const { status, body } = await scene.send(replica, {
    method: 'POST',
    path: `${scene.apps[app]?.path}/builds`,
    token: scene.ownerToken,
    headers: { 'idempotency-key': key },
    body: { platform: 'web', appBuildSourceId: scene.sources[app] },
    ...(signal === undefined ? {} : { signal }),
  });
  const { unknownCreates } = scene.model;
  const former = unknownCreates.findIndex((each) => each.key === key);
  // 409: the first request goes on.
  if (status === 0 || status === 409) {
    if (former < 0) unknownCreates.push({ key, app });
    return;
  }
  expect(status).toBe(201);
  if (former >= 0) unknownCreates.splice(former, 1);
  scene.model.created++;
  scene.model.addJob(body['jobId'] as string);
}

/** Requests builds again whose creation got no answer, with the same keys. */
export async function repeatCreates(scene: JobScene, replica: Replica): Promise<void> {
  for (const { key, app } of scene.model.unknownCreates.slice()) await createBuild(scene, replica, app, key);
}

/** Cancels a job. */
export async function cancel(scene: JobScene, replica: Replica, jobId: string): Promise<void> {
  const job = scene.model.job(jobId);
  job.isCancelAsked = true;
  const { status, body } = await scene.send(replica, {
    method: 'PATCH',
    path: `/v1/jobs/${jobId}`,
    token: scene.ownerToken,
    body: { status: 'canceled' },
  });
  if (status === 200) job.isCanceled = true;
  else if (status === 400) {
    expect(body['code']).toBe('job_finished');
    expect(isFinal((await scene.read()).jobs.get(jobId)?.status ?? '')).toBe(true);
  } else expect(status).toBe(0);
}

export const buildCommands: readonly CommandKind[] = [
  {
    name: 'create',
    isPossible: (model) => model.jobs.size < 60,
    run: async (scene, [app, replica, lost]) => {
      const isLost = lost % 8 === 0;
      await createBuild(
        scene,
        replicaOf(scene, replica),
        app % 2,
        undefined,
        isLost ? AbortSignal.timeout(lost % 20) : undefined,
      );
      // The request that was given up may still be on its way.
      if (isLost) await sleep(30);
    },
  },
  {
    name: 'createAgain',
    isPossible: ({ unknownCreates }) => unknownCreates.length > 0,
    run: (scene, [replica]) => repeatCreates(scene, replicaOf(scene, replica)),
  },
  {
    name: 'cancel',
    isPossible: ({ jobs }) => jobs.size > 0,
    run: (scene, [choice, replica]) => {
      const ids = [...scene.model.jobs.keys()];
      const open = ids.filter((id) => !isFinal(scene.model.last.jobs.get(id)?.status ?? 'queued'));
      return cancel(
        scene,
        replicaOf(scene, replica),
        pick(open.length > 0 && choice % 8 !== 0 ? open : ids, choice),
      );
    },
  },
  {
    name: 'limit',
    run: async (scene, [which, limit]) => {
      const { model } = scene;
      const value = pick(LIMITS, limit);
      if (which % 4 >= 2) {
        await scene.query(
          `INSERT INTO job_queues (organization_id, running_limit) VALUES ($1, $2)
           ON CONFLICT (organization_id) DO UPDATE SET running_limit = excluded.running_limit`,
          [scene.organizationId, value],
        );
        model.limits = { ...model.limits, organization: value };
      } else {
        const app = which % 4;
        await scene.query(
          `INSERT INTO job_queue_apps (app_id, running_limit) VALUES ($1, $2)
           ON CONFLICT (app_id) DO UPDATE SET running_limit = excluded.running_limit`,
          [model.appIds[app], value],
        );
        model.limits = { ...model.limits, apps: model.limits.apps.with(app, value) };
      }
      await scene.query(`SELECT pg_notify('jobs', $1)`, [scene.organizationId]);
    },
  },
];
