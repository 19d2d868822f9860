import { setTimeout as sleep } from 'node:timers/promises';
import { linesOf, readJob } from '../jobs/leases.js';
import { repeatCreates } from './build-commands.js';
import { claim, openSession } from './claim-commands.js';
import { expectEventsDelivered } from './job-events.js';
import { isFinal } from './job-invariants.js';
import { type JobRow, LEASE_SECONDS } from './job-model.js';
import type { JobScene } from './job-scene.js';
import { finish, start } from './runner-commands.js';
import { Api } from '../http/api.js';

/** How long everything may take to end, in milliseconds: replicas that were cut off wait a lease first. */
const PATIENCE = 60_000;

/** Lets runners that are alive end everything that is queued, and checks that it has ended, with its log. */
export async function drain(scene: JobScene): Promise<void> {
  const { model, world } = scene;
  scene.trace.push('drain');
  await world.settle();
  const [replica] = world.replicas;
  for (const runner of scene.runners) await openSession(scene, replica, runner);
  const end = performance.now() + PATIENCE;
  while (model.unknownCreates.length > 0) await repeatCreates(scene, replica);
  for (await scene.observe(); open(scene).length > 0; await scene.observe()) {
    if (performance.now() > end) throw new Error(`Jobs do not end: ${JSON.stringify(open(scene))}`);
    await passLease(scene);
    for (const [index, runner] of scene.runners.entries()) {
      const held = await claim(scene, runner, model.claimable(runner, runner.slots), index);
      await Promise.all(
        held.map(async (hold) => {
          if (await start(scene, replica, hold)) await finish(scene, replica, hold);
        }),
      );
      await scene.observe();
    }
  }
  expect(
    await scene.query('SELECT FROM job_leases JOIN jobs ON jobs.id = job_id WHERE organization_id = $1', [
      scene.organizationId,
    ]),
  ).toEqual([]);
  await expectLogs(scene);
  await expectEventsDelivered(scene);
}

const open = ({ model }: JobScene): JobRow[] =>
  [...model.last.jobs.values()].filter(({ status }) => !isFinal(status));

/** Leases of runners that are gone end, and replicas notice. */
async function passLease(scene: JobScene): Promise<void> {
  const leased = open(scene).filter(({ leaseId }) => leaseId !== null);
  if (leased.length === 0) return;
  if (leased.some(({ expiresAt }) => expiresAt > scene.model.last.clock))
    await scene.world.postgres.move(LEASE_SECONDS * 1000);
  await sleep(100);
  await scene.observe();
}

/** Lines of each attempt are there in their order, each once, and none of those that were acknowledged is missing. */
async function expectLogs({ model, apps, world }: JobScene): Promise<void> {
  const [app] = apps;
  if (app === undefined) return;
  const reader = { ...app, api: new Api(world.replicas[1].origin, app.api.token) };
  for (const jobId of new Set(model.holds.filter(({ lines }) => lines > 0).map((hold) => hold.jobId))) {
    const lines = linesOf(await readJob(reader, jobId));
    for (const hold of model.holdsOf(jobId)) {
      const ofHold = lines.filter((line) => line.startsWith(hold.leaseId));
      expect(ofHold).toEqual(ofHold.map((_, index) => `${hold.leaseId} ${index}`));
      expect(ofHold.length).toBeGreaterThanOrEqual(hold.lines);
    }
  }
}
