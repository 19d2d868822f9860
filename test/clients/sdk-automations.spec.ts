import { createApp } from '../builders/app.js';
import { createChannel } from '../builders/channel.js';
import { createEnvironment } from '../builders/environment.js';
import { Sdk } from '../support/http/sdk.js';
import { expectSdk, expectSdkList } from '../support/http/sdk-checks.js';
import { sdkAutomation } from '../support/http/sdk-types.js';

it.each([
  ['branch', 'release/*'],
  ['tag', 'v*'],
])('automations of each %s work as the SDK declares', async (triggerType, triggerPattern) => {
  const app = await createApp();
  const channel = await createChannel(app);
  const environment = await createEnvironment(app);
  const sdk = new Sdk(app.tenant.owner.token);
  const path = `${app.path}/automations`;
  const body = {
    name: 'Deploy',
    platform: 'web',
    triggerType,
    triggerPattern,
    commitMessagePattern: null,
    appChannelName: channel.name,
    appEnvironmentId: environment.id,
  };
  const created = expectSdk(sdkAutomation, await sdk.request('POST', path, { body }));
  const { appChannelName: _name, ...shown } = body;
  expect(created).toMatchObject({ ...shown, appId: app.id, appChannelId: channel.id, enabled: true });
  expect(expectSdk(sdkAutomation, await sdk.request('GET', `${path}/${created.id}`))).toEqual(created);

  const change = { name: 'Build', triggerPattern: null, appChannelId: null, enabled: false };
  const changed = expectSdk(
    sdkAutomation,
    await sdk.request('PATCH', `${path}/${created.id}`, { body: change }),
  );
  expect(changed).toMatchObject({ ...change, appEnvironmentId: environment.id });

  const query = { platform: 'web', query: 'build', limit: 10, offset: 0 };
  expect(expectSdkList(sdkAutomation, await sdk.request('GET', path, { query }))).toEqual([changed]);
  await sdk.request('DELETE', `${path}/${created.id}`);
  expect(await sdk.request('GET', path, { query })).toEqual([]);
});
