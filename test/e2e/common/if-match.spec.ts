import type { Response } from 'supertest';
import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { createDeployment } from '../../builders/deployment.js';
import { createDevice } from '../../builders/device.js';
import { expectError } from '../../support/http/expect-error.js';
import { expectOpenApi } from '../../support/http/expect-openapi.js';
import { uniqueName } from '../../support/unique-name.js';

let app: TestApp;

beforeAll(async () => {
  app = await createApp();
});

async function send(
  method: 'patch' | 'delete',
  path: string,
  ifMatch: string,
  body?: object,
): Promise<Response> {
  const request = app.api.request(method, path).set('If-Match', ifMatch);
  const response = await (body === undefined ? request : request.send(body));
  expectOpenApi(method, path, response);
  return response;
}

const etagOf = async (path: string): Promise<string> => (await app.api.get(path)).headers['etag'] ?? '';

/** A tag of another state: as the tag, but with another version. */
const otherVersion = (etag: string): string => etag.replace(/\.(\d+)\./, (_, n) => `.${Number(n) + 1}.`);

/** What may be changed under a condition. */
const resources: readonly {
  readonly what: string;
  readonly make: () => Promise<string>;
  readonly change: (count: number) => object;
  readonly relations?: string;
  readonly canDelete: boolean;
  /** What happens in daily use and is no change of the object. */
  readonly dailyUse: (path: string) => Promise<void>;
}[] = [
  {
    what: 'a channel',
    make: async () => `${app.path}/channels/${(await createChannel(app)).id}`,
    change: () => ({ name: uniqueName('channel') }),
    relations: 'appDeployment',
    canDelete: true,
    dailyUse: async (path) => {
      const { id, name } = (await app.api.get(path)).body as { id: string; name: string };
      await createDevice(app, { channelName: name });
      await createDeployment(app, { appChannelId: id });
    },
  },
  {
    what: 'a deployment',
    make: async () => `${app.path}/deployments/${(await createDeployment(app)).id}`,
    change: (count) => ({ rolloutPercentage: count / 100 }),
    relations: 'appBuild,job',
    canDelete: false,
    dailyUse: async () => {
      await createDevice(app);
      await app.api.patch(`${app.path}/channels/${app.defaultChannelId}`, { name: uniqueName('channel') });
      await createDeployment(app);
    },
  },
  {
    what: 'an app',
    make: async () => (await createApp(app.tenant)).path,
    change: () => ({ name: uniqueName('app') }),
    canDelete: true,
    dailyUse: async (path) => {
      const own = { ...app, path, id: path.split('/').at(-1) ?? '' };
      await createDevice(own);
      await createChannel(own);
      await registerBundle(own);
    },
  },
];

describe.each(resources)('changing $what', ({ make, change, relations, canDelete, dailyUse }) => {
  let path: string;

  beforeAll(async () => {
    path = await make();
  });

  it('happens when it is as the caller knows it', async () => {
    const etag = await etagOf(path);
    const changed = await send('patch', path, `"other", ${etag}`, change(1));
    expect(changed.status).toBe(200);
    expect((await app.api.get(path)).body).toEqual(changed.body);
    expect(changed.body).not.toHaveProperty('version');
    expect(await etagOf(path)).not.toBe(etag);
  });

  it('happens with the tag of a response with relations', async () => {
    const etag = await etagOf(`${path}${relations === undefined ? '' : `?relations=${relations}`}`);
    expect((await send('patch', path, etag, change(2))).status).toBe(200);
    expectError(await send('patch', path, etag, change(3)), 412, 'precondition_failed');
  });

  it('happens while devices check in, builds are made and channels get deployments', async () => {
    const etag = await etagOf(path);
    const { body } = await app.api.get(path);
    await dailyUse(path);
    const after = await app.api.get(path);
    // Readers still get what is new.
    if (JSON.stringify(after.body) !== JSON.stringify(body)) expect(after.headers['etag']).not.toBe(etag);
    expect((await send('patch', path, etag, change(4))).status).toBe(200);
    expectError(await send('patch', path, etag, change(5)), 412, 'precondition_failed');
  });

  it('is refused when it is not, and changes nothing', async () => {
    const old = await etagOf(path);
    await app.api.patch(path, change(6));
    const { body, headers } = await app.api.get(path);
    const current = headers['etag'] ?? '';
    const others = [old, `W/${current}`, otherVersion(current), current.slice(0, 30) + '"'];
    for (const wrong of [...others, '"other"', `"a", ${old}`, '""', '"*"']) {
      const refused = await send('patch', path, wrong, change(7));
      expectError(refused, 412, 'precondition_failed');
      expect(refused.headers['cache-control']).toBe('no-store');
      if (canDelete) expectError(await send('delete', path, wrong), 412, 'precondition_failed');
    }
    expect((await app.api.get(path)).body).toEqual(body);
  });

  it('is refused with the tag of another object in the same version', async () => {
    const [one, another] = [await make(), await make()];
    const version = (etag: string): string | undefined => etag.split('.')[1];
    const [own, foreign] = [await etagOf(one), await etagOf(another)];
    expect(version(own)).toBe(version(foreign));
    expectError(await send('patch', one, foreign, change(8)), 412, 'precondition_failed');
    expect((await send('patch', one, own, change(8))).status).toBe(200);
  });

  it('is refused when the condition is malformed', async () => {
    for (const malformed of ['nonsense', '"a', '"a" "b"', '*, "a"', ',', 'W/*']) {
      expectError(await send('patch', path, malformed, change(9)), 400, 'invalid_request');
      if (canDelete) expectError(await send('delete', path, malformed), 400, 'invalid_request');
    }
    expect((await app.api.get(path)).status).toBe(200);
  });

  it('takes * for "it exists", and is a 404 when it does not', async () => {
    expect((await send('patch', path, '*', change(10))).status).toBe(200);
    const gone = path.replace(/[^/]+$/, '0199b0c2-7c1e-7bd3-a3c1-4c29f4a7d8aa');
    for (const condition of ['*', '"other"']) {
      expectError(await send('patch', gone, condition, change(11)), 404);
      if (canDelete) expectError(await send('delete', gone, condition), 404);
    }
  });

  it('is done by exactly one of those who know the same state and write at once', async () => {
    for (let round = 0; round < 5; round++) {
      const etag = await etagOf(path);
      // In the last round, all write the same.
      const same = change(90);
      const answers = await Promise.all(
        [0, 1, 2, 3].map((n) => send('patch', path, etag, round === 4 ? same : change(12 + round * 4 + n))),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.sort()).toEqual([200, 412, 412, 412]);
      const { body: winner } = answers.find(({ status }) => status === 200) as { body: object };
      // Only the response to a change has warnings.
      expect((await app.api.get(path)).body).toEqual({
        ...winner,
        ...('warnings' in winner && { warnings: [] }),
      });
    }
  });

  it('is done once by those who write what is there already', async () => {
    const same = change(91);
    await app.api.patch(path, same);
    const etag = await etagOf(path);
    const statuses = [await send('patch', path, etag, same), await send('patch', path, etag, same)];
    expect(statuses.map(({ status }) => status)).toEqual([200, 412]);
  });

  it('deletes it, or changes it, when both are asked for at once', async () => {
    if (!canDelete) return;
    for (let round = 0; round < 3; round++) {
      const own = await make();
      const etag = await etagOf(own);
      const [changed, deleted] = await Promise.all([
        send('patch', own, etag, change(50)),
        send('delete', own, etag),
      ]);
      expect([
        [200, 412],
        [404, 204],
      ]).toContainEqual([changed.status, deleted.status]);
      expect((await app.api.get(own)).status).toBe(changed.status);
    }
  });
});

describe('deleting a channel by its name', () => {
  it('takes the ETag of the channel', async () => {
    const own = await createApp(app.tenant);
    const byName = `${own.path}/channels?name=DEFAULT`;
    const channel = `${own.path}/channels/${own.defaultChannelId}`;
    const old = await etagOf(channel);
    await own.api.patch(channel, { rollbackLimit: 5 });
    expectError(await send('delete', byName, old), 412, 'precondition_failed');
    const etag = await etagOf(channel);
    await createDeployment(own);
    expect((await send('delete', byName, etag)).status).toBe(204);
    expectError(await send('delete', byName, etag), 404, 'channel_not_found');
  });
});
