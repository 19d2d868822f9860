import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp, type TestApp } from '../../builders/app.js';
import { createChannel } from '../../builders/channel.js';
import { createTenant } from '../../builders/identities.js';
import { eventually } from '../../support/eventually.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { zipOf } from '../../support/live-updates/archives.js';
import { finishJob, startBuild, takeJob, uploadArtifact } from '../../support/native-builds/leases.js';
import { type TestSource, uploadSource } from '../../support/native-builds/sources.js';
import { OwnSite } from '../../support/servers/own-site.js';

let site: OwnSite;
let app: TestApp;

beforeAll(async () => {
  site = await OwnSite.start({ OUTBOUND_ALLOW: 'source=127.0.0.1', QUEUE_POLL_SECONDS: '1' });
  app = await createApp(await createTenant(site));
});
afterAll(() => site.dispose());

/** Makes every attempt of a queue the last one, and its writes to a table fail. */
async function breakQueue(queue: string, event: string): Promise<void> {
  await site.query(`UPDATE queue.queue SET retry_limit = 0 WHERE name = '${queue}'`);
  await site.query(
    `CREATE FUNCTION refuse_${queue.replace('-', '_')}() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'broken by the test'; END $$`,
  );
  await site.query(
    `CREATE TRIGGER refuse BEFORE ${event} EXECUTE FUNCTION refuse_${queue.replace('-', '_')}()`,
  );
}

describe('when the queue has given up', () => {
  it('a source says so, and its build fails at once', async () => {
    const gate = Promise.withResolvers<void>();
    const host: Server = createServer((_request, response) => {
      void gate.promise.then(async () => response.end(await zipOf({ 'package.json': '{}' })));
    }).listen(0, '127.0.0.1');
    await once(host, 'listening');
    await breakQueue(
      'build-sources',
      `UPDATE ON build_sources FOR EACH ROW WHEN (NEW.status = 'ready' AND NEW.file_url IS NOT NULL)`,
    );
    const fileUrl = `http://127.0.0.1:${(host.address() as AddressInfo).port}/source.zip`;
    const { id } = expectCreated<TestSource>(await app.api.post(`${app.path}/build-sources`, { fileUrl }));
    const build = await startBuild(app, { appBuildSourceId: id });
    gate.resolve();
    const reason = 'The server failed several times. Create the source again.';
    await eventually(async () => {
      const { body } = await app.api.get(`${app.path}/build-sources/${id}`);
      expect(body).toMatchObject({ status: 'pending', statusMessage: reason });
    });
    expect((await app.api.get(`/v1/jobs/${build.jobId}`)).body).toMatchObject({
      status: 'failed',
      statusMessage: `The source could not be fetched: ${reason}`,
    });
    host.close();
  });

  it('a deployment that a build waits for has failed, with a reason', async () => {
    const channel = await createChannel(app);
    const source = await uploadSource(app);
    const build = await startBuild(app, { appBuildSourceId: source, appChannelIds: [channel.id] });
    await breakQueue('build-deployments', 'INSERT ON deployments FOR EACH ROW');
    const lease = await takeJob(build.jobId, site);
    await uploadArtifact(lease, await zipOf({ 'index.html': '<html>built' }));
    expect((await finishJob(lease)).status).toBe(200);
    await eventually(async () => {
      expect((await app.api.get(`${app.path}/builds/${build.id}`)).body).toMatchObject({
        channelDeployments: [
          {
            status: 'failed',
            statusMessage: 'The server failed several times to deploy the build. Deploy it yourself.',
          },
        ],
      });
    });
  });
});
