import { createTenant } from '../support/identities.js';

it('creates an app with its default channel', async () => {
  const { owner } = await createTenant();
  const app = await owner.api.post('/v1/apps', { name: 'Shop' });
  expect(app.status).toBe(201);
  const channels = await owner.api.get(`/v1/apps/${app.body.id}/channels`);
  expect(channels.body).toMatchObject([{ name: 'default', id: app.body.appChannelId }]);
});
