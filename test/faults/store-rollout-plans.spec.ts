import { setTimeout as sleep } from 'node:timers/promises';
import { passStep, putPlan, type TestPlan } from '../builders/rollout-plan.js';
import { seed } from '../setup/depth.js';
import { eventually } from '../support/eventually.js';
import { Api } from '../support/http/api.js';
import { randomOf } from '../support/random.js';
import { QueueSupervisor } from '../support/servers/queue-supervisor.js';
import { PlaySite } from '../support/stores/play-submissions.js';

/** Milliseconds until a step is taken. */
const PATIENCE = 120_000;
const SHARES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 1];

const next = randomOf(seed);

let playSite: PlaySite;
let supervisor: QueueSupervisor;

beforeAll(async () => {
  playSite = await PlaySite.start({ QUEUE_POLL_SECONDS: '1' });
  supervisor = await QueueSupervisor.start(playSite.site.databaseUrl);
  // So that kills hit something.
  playSite.play.latency = 30;
});
afterAll(async () => {
  await supervisor?.stop();
  await playSite?.dispose();
});

it('takes each step of a plan in the store once, however often its server is killed', async () => {
  const { site, play } = playSite;
  const app = await playSite.app('com.example.killed', {
    play: { tracks: { production: [{ status: 'completed', versionCodes: ['1'] }] } },
  });
  const { id } = await app.release(2, { rolloutPercentage: SHARES[0] });
  const steps = SHARES.map((percentage) => ({
    percentage,
    ...(percentage < 1 && { durationMinutes: 60 }),
  }));
  await putPlan(app.app, id, { steps }, 'start');
  const plan = async (): Promise<TestPlan> =>
    (await new Api(site.origin, app.app.api.token).get(`${app.app.path}/deployments/${id}/rollout-plan`))
      .body as TestPlan;
  for (let step = 1; step < SHARES.length; step++) {
    await passStep(id, site);
    await sleep(next() * 1200);
    await site.kill();
    await supervisor.expireHeartbeats();
    await site.restart();
    const isLast = step === SHARES.length - 1;
    await eventually(async () => {
      await playSite.hurry();
      expect(await plan()).toMatchObject({
        state: isLast ? 'completed' : 'running',
        stepIndex: step,
        stepStartedAt: expect.any(String) as string,
      });
    }, PATIENCE);
  }
  const released = play.historyOf('com.example.killed', 'production').flatMap((one) => {
    const [, share] = /2 (?:inProgress ([\d.]+)|completed)/.exec(one) ?? [];
    return one.includes('2 ') ? [share ?? 'all'] : [];
  });
  expect([seed, released]).toEqual([seed, [...SHARES.slice(0, -1).map(String), 'all']]);
}, 600_000);
