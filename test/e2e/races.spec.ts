import type { Response } from 'supertest';
import { createApp } from '../builders/app.js';
import { createTenant } from '../builders/identities.js';
import { uniqueName } from '../support/unique-name.js';

/** Objects that are deleted while something begins to refer to them: a clear answer, never a failure of the server. */
describe('a reference to what is being deleted', () => {
  const rounds = Array.from({ length: 10 }, (_, round) => round);

  it('is made, or answers that the channel is gone', async () => {
    const tenant = await createTenant();
    const { api } = tenant.owner;
    const app = await createApp(tenant);
    for (const _ of rounds) {
      const { body } = await api.post(`${app.path}/channels`, { name: uniqueName('race') });
      const channel = body as { id: string };
      const [changed, deleted] = await Promise.all([
        api.patch(app.path, { appChannelId: channel.id }),
        api.delete(`${app.path}/channels/${channel.id}`),
      ]);
      expect([200, 404, 409]).toContain(changed.status);
      expect(deleted.status).toBe(204);
    }
    expect((await api.get(app.path)).body.appChannelId).toBeNull();
  });

  it('is made, or answers that the app is gone', async () => {
    const tenant = await createTenant();
    const { api } = tenant.owner;
    for (const _ of rounds) {
      const app = await createApp(tenant);
      const answers: Response[] = await Promise.all([
        ...['a', 'b', 'c'].map((name) => api.post(`${app.path}/channels`, { name })),
        api.post(`${app.path}/bundles`, { artifactType: 'zip', url: 'https://example.com/a.zip' }),
        api.delete(app.path),
      ]);
      for (const { status } of answers) expect([201, 204, 404, 409]).toContain(status);
      expect((await api.get(app.path)).status).toBe(404);
    }
  });
});
