import { createApp, type TestApp } from '../../builders/app.js';
import { createAutomation } from '../../builders/automation.js';
import { registerBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { createGitConnection } from '../../builders/git-connection.js';
import { createTenant, type Tenant } from '../../builders/identities.js';
import { passStep, putPlan, type TestPlan } from '../../builders/rollout-plan.js';
import { createWebhook } from '../../builders/webhook.js';
import { eventually } from '../../support/eventually.js';
import { GitServer, hasGit } from '../../support/git/git-server.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { readJob } from '../../support/jobs/leases.js';
import { makeApk } from '../../support/native-builds/apk-writer.js';
import { endOfImport, startImport, uploadImport } from '../../support/native-builds/imports.js';
import type { TestBuild } from '../../support/native-builds/leases.js';
import { NumberedBuilds } from '../../support/native-builds/numbered-builds.js';
import type { TestSource } from '../../support/native-builds/sources.js';
import { WebhookReceiver } from '../../support/notifications/webhook-receiver.js';
import * as suspension from '../../support/organizations/suspension.js';
import { HoldingServer } from '../../support/servers/holding-server.js';
import type { OwnSite } from '../../support/servers/own-site.js';
import { runQueue } from '../../support/servers/run-queue.js';
import { PlaySite } from '../../support/stores/play-submissions.js';
import type { TestStoreDeployment } from '../../support/stores/store-submissions.js';
import { uniqueName } from '../../support/unique-name.js';

let play: PlaySite;
let site: OwnSite;
let receiver: WebhookReceiver;
let files: HoldingServer;
let tenant: Tenant;
let app: TestApp;

beforeAll(async () => {
  play = await PlaySite.start();
  ({ site } = play);
  receiver = await WebhookReceiver.start();
  files = await HoldingServer.start();
});
beforeEach(async () => {
  tenant = await createTenant(site);
  app = await createApp(tenant);
});
afterAll(async () => {
  await files.stop();
  await receiver.stop();
  await play.dispose();
});

const suspend = (): Promise<void> => suspension.suspend(site, tenant);
const resume = (): Promise<void> => suspension.resume(site, tenant);
const suspendBefore = (queue: string, cause: () => Promise<unknown>): Promise<void> =>
  suspension.suspendBefore(site, tenant, queue, cause);
const expectPutOff = (queue: string, key: string, id: string): Promise<void> =>
  suspension.expectPutOff(site, queue, key, id);

describe('what waits in a suspended organization', () => {
  it('is imports, which lose nothing', async () => {
    const apk = await makeApk({ packageName: 'com.example.shop' });
    const started = await startImport(app, apk);
    await suspendBefore('imports', async () => {
      expect((await uploadImport(app, started, apk)).status).toBe(200);
    });
    await expectPutOff('imports', 'jobId', started.jobId);
    expect(await readJob(app, started.jobId)).toMatchObject({ status: 'queued', jobLogs: [] });
    await resume();
    expect(await endOfImport(app, started)).toMatchObject({ status: 'succeeded' });
  });

  it('is webhooks, which get every event in its order', async () => {
    const name = uniqueName('receiver');
    const channel = await createChannel(app);
    const webhook = await createWebhook(app, { url: receiver.url(name) });
    await suspendBefore('webhook-deliveries', async () => {
      expect((await app.api.post(`${app.path}/channels/${channel.id}/pause`)).status).toBe(204);
    });
    await expectPutOff('webhook-deliveries', 'webhookId', webhook.id);
    const deliveries = `${webhook.path}/deliveries?status=pending`;
    expect((await app.api.get(deliveries)).body).toHaveLength(1);
    // Runs that are late are planned again, but not these.
    await site.query(
      `UPDATE webhook_schedules SET due_at = due_at - interval '2 hours' WHERE webhook_id = $1`,
      [webhook.id],
    );
    await runQueue(site, 'lost-webhook-deliveries');
    await expectPutOff('webhook-deliveries', 'webhookId', webhook.id);
    expect(receiver.of(name)).toEqual([]);
    await resume();
    await runQueue(site, 'lost-webhook-deliveries');
    await eventually(() => {
      expect(receiver.of(name).map(({ headers }) => headers['x-capawesome-event'])).toEqual([
        'app_channel_paused',
      ]);
    });
  });

  it('is rollout plans, which neither advance nor raise', async () => {
    await registerBundle(app);
    const { deploymentId = '' } = await registerBundle(app, { rolloutPercentage: 0 });
    const { id } = await putPlan(app, deploymentId ?? '', {}, 'start');
    const path = `${app.path}/deployments/${deploymentId}/rollout-plan`;
    const step = async (): Promise<number | null> => ((await app.api.get(path)).body as TestPlan).stepIndex;
    await suspend();
    await passStep(deploymentId ?? '', site);
    await expectPutOff('rollout-plans', 'planId', id);
    expect(await step()).toBe(0);
    await resume();
    await eventually(async () => expect(await step()).toBe(1));
  });

  it('is fetched sources, whose builds wait as well', async () => {
    let id = '';
    await suspendBefore('build-sources', async () => {
      const body = { fileUrl: `${files.origin}/app.zip` };
      ({ id } = expectCreated<TestSource>(await app.api.post(`${app.path}/build-sources`, body)));
    });
    await expectPutOff('build-sources', 'sourceId', id);
    const source = async (): Promise<object> =>
      (await app.api.get(`${app.path}/build-sources/${id}`)).body as object;
    expect(await source()).toMatchObject({ status: 'pending', statusMessage: null });
    await resume();
    await eventually(async () => expect(await source()).toMatchObject({ status: 'ready' }));
  });

  it('is build numbers, for which no store is asked', async () => {
    const { app: own } = await play.app('com.example.numbered', { tenant, app });
    const builds = new NumberedBuilds(site, own);
    const calls = play.play.calls.length;
    let build: TestBuild | undefined;
    await suspendBefore('build-numbers', async () => {
      build = await builds.start();
    });
    if (build === undefined) throw new Error('No build was started.');
    await expectPutOff('build-numbers', 'buildId', build.id);
    expect(await builds.find(build)).toMatchObject({ status: 'queued', isHeld: true, log: [] });
    expect(play.play.calls).toHaveLength(calls);
    await resume();
    expect(await builds.end(build)).toMatchObject({ status: 'queued', storeBuildNumber: 1 });
  });

  it('is submissions, of which the store sees nothing', async () => {
    const own = await play.app('com.example.submitted', { tenant, app });
    const build = await own.build(42);
    const calls = play.play.calls.length;
    let deployment: TestStoreDeployment | undefined;
    await suspendBefore('submissions', async () => {
      deployment = await own.deploy(build);
    });
    if (deployment === undefined) throw new Error('Nothing was deployed.');
    await expectPutOff('submissions', 'jobId', deployment.jobId);
    expect(await own.job(deployment)).toMatchObject({ status: 'queued', jobLogs: [] });
    expect(play.play.calls).toHaveLength(calls);
    await resume();
    expect((await own.end(deployment)).job).toMatchObject({ status: 'succeeded' });
    expect(own.released).toEqual(['production 42 completed']);
  });

  // Only a machine without git may skip this.
  (hasGit ? it : it.skip)('is looks of automations, which find afterwards what was pushed', async () => {
    const git = await GitServer.start({ credentials: 'ada:pw' });
    try {
      git.create('shop.git');
      git.commit('shop.git', 'main', 'First');
      const credentials = { authKind: 'basic', username: 'ada', token: undefined, password: 'pw' };
      const connection = { provider: 'git_http', baseUrl: git.origin, ...credentials };
      const { id: gitConnectionId } = await createGitConnection(tenant, connection);
      const repository = { gitConnectionId, path: 'shop.git' };
      expect((await app.api.put(`${app.path}/repository`, repository)).status).toBe(200);
      const { id } = await createAutomation(app);
      await eventually(async () => {
        const sql = 'SELECT FROM automations WHERE id = $1 AND refs_recorded_at IS NOT NULL';
        expect(await site.query(sql, [id])).toHaveLength(1);
      });
      const setDue =
        'UPDATE repository_looks SET next_look_at = now(), requested_at = NULL WHERE app_id = $1';
      await suspendBefore('repository-looks', () => site.query(setDue, [app.id]));
      const pushed = git.commit('shop.git', 'main', 'Second');
      const requests = git.requests.length;
      await expectPutOff('repository-looks', 'appIds', JSON.stringify([app.id]));
      expect(git.requests).toHaveLength(requests);
      const builds = async (): Promise<unknown> => (await app.api.get(`${app.path}/builds`)).body;
      expect(await builds()).toEqual([]);
      await resume();
      await eventually(async () => expect(await builds()).toMatchObject([{ gitCommitSha: pushed }]));
    } finally {
      await git.stop();
    }
  });
});
