import { createApp, type TestApp } from '../../builders/app.js';
import { createGitConnection } from '../../builders/git-connection.js';
import { expectCreated } from '../../support/http/expect-created.js';
import type { TestSource } from '../../support/native-builds/sources.js';
import { HoldingServer } from '../../support/servers/holding-server.js';
import { eventually } from '../../support/eventually.js';

/*
 * What the work of organizations waits for: for each, another organization is served while all work of the first one is
 * held.
 */

/** One kind of work. */
interface Work {
  readonly what: string;
  /** Works of one organization that are held at once, at most. */
  readonly share: number;
  /** Begins work of an app that ends when the server answers. */
  readonly begin: (app: TestApp, server: HoldingServer) => Promise<unknown>;
}

const works: readonly Work[] = [
  {
    what: 'git calls',
    share: 2,
    begin: async (app, server) => {
      const connection = await createGitConnection(app.tenant, {
        provider: 'git_http',
        baseUrl: server.origin,
      });
      const body = { gitConnectionId: connection.id, path: app.id };
      return app.api.put(`${app.path}/repository`, body);
    },
  },
  {
    what: 'fetched sources',
    share: 2,
    begin: async (app, server) => {
      const fileUrl = `${server.origin}/${app.id}.zip`;
      const { id } = expectCreated<TestSource>(await app.api.post(`${app.path}/build-sources`, { fileUrl }));
      await eventually(async () => {
        const { body } = await app.api.get(`${app.path}/build-sources/${id}`);
        expect(body).toMatchObject({ status: 'ready' });
      });
    },
  },
];

it.each(works)('$what of one organization hold no others', async ({ share, begin }) => {
  const server = await HoldingServer.start();
  const [greedy, other] = [await createApp(), await createApp()];
  try {
    server.hold(greedy.id);
    const held = Array.from({ length: 10 }, () => begin(greedy, server));
    await eventually(() => expect(server.heldRequests).toBe(share));
    await begin(other, server);
    expect(server.heldRequests).toBe(share);
    server.release();
    await Promise.all(held);
    expect(server.mostHeld).toBe(share);
  } finally {
    await server.stop();
  }
});
