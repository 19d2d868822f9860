import { createApp } from '../builders/app.js';
import { WEBHOOK_URL } from '../builders/webhook.js';
import { Sdk } from '../support/http/sdk.js';
import { expectSdk, expectSdkList } from '../support/http/sdk-checks.js';
import { sdkWebhook } from '../support/http/sdk-types.js';

/** Every type that the SDK declares. */
const EVENTS = ['app_build_created', 'app_deployment_created', 'job_created', 'job_finished'];

it.each(['raw', 'slack', 'teams', 'discord'])(
  'webhooks in the format %s work as the SDK declares',
  async (format) => {
    const app = await createApp();
    const sdk = new Sdk(app.tenant.owner.token);
    const path = `${app.path}/webhooks`;
    const isSigned = format === 'raw';
    const create = { name: 'Chat', url: WEBHOOK_URL, events: EVENTS, format };
    const body = isSigned ? { ...create, signingSecret: 'correct horse' } : create;
    const created = expectSdk(sdkWebhook, await sdk.request('POST', path, { body }));
    expect(created).toMatchObject({ ...create, appId: app.id, enabled: true });
    expect(created).not.toHaveProperty('signingSecret');
    expect(expectSdk(sdkWebhook, await sdk.request('GET', `${path}/${created.id}`))).toEqual(created);

    const change = { name: 'Releases', url: `${WEBHOOK_URL}/b`, events: EVENTS.slice(1), enabled: false };
    // What the Python SDK sends to remove the secret.
    const without = { ...change, format, signingSecret: null };
    const changed = expectSdk(
      sdkWebhook,
      await sdk.request('PATCH', `${path}/${created.id}`, { body: without }),
    );
    expect(changed).toMatchObject(change);
    expect(changed).toMatchObject({ hasSigningSecret: false });

    const query = { query: 'release', limit: 10, offset: 0 };
    expect(expectSdkList(sdkWebhook, await sdk.request('GET', path, { query }))).toEqual([changed]);
    await sdk.request('DELETE', `${path}/${created.id}`);
    expect(await sdk.request('GET', path, { query })).toEqual([]);
  },
);

it('without a format are raw', async () => {
  const app = await createApp();
  const body = { name: 'CI', url: WEBHOOK_URL, events: ['job_finished'] };
  const created = await new Sdk(app.tenant.owner.token).request('POST', `${app.path}/webhooks`, { body });
  expect(expectSdk(sdkWebhook, created)).toMatchObject({ format: 'raw' });
});
