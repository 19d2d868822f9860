import { createApp, type TestApp } from '../../test/builders/app.js';
import { registerBundle, type TestBundle } from '../../test/builders/bundle.js';
import { createChannel } from '../../test/builders/channel.js';
import { checkForUpdate } from '../../test/builders/device.js';
import { createTenant, type Tenant } from '../../test/builders/identities.js';
import { givePassword } from '../../test/builders/person.js';

/** Devices that a story has where their number does not matter. */
const FEW = 2;
/** Devices among which some are in a tenth, and some are not. */
export const DEVICES = 40;

/** An app as a team has it: two channels, two releases, and devices that run the older one. */
export interface Shop {
  readonly tenant: Tenant;
  readonly app: TestApp;
  readonly production: string;
  readonly beta: string;
  /** Newest last. */
  readonly releases: readonly TestBundle[];
}

/** A release with a name, for a share of the devices of `production`. */
export async function release(
  app: TestApp,
  name: string,
  message: string,
  share = 1,
  values: object = {},
): Promise<TestBundle> {
  const bundle = await registerBundle(app, {
    channelName: 'production',
    rolloutPercentage: share,
    gitCommitMessage: message,
    ...values,
  });
  const named = await app.api.patch(`${app.path}/builds/${bundle.buildId}`, { displayName: name });
  if (named.status !== 200) throw new Error(named.text);
  return bundle;
}

/** @param devices of the channel `production` */
export async function createShop(devices = FEW): Promise<Shop> {
  const tenant = await createTenant();
  await givePassword(tenant.owner);
  const app = await createApp(tenant, { name: 'Shop' });
  await app.api.patch(`${app.path}/channels/${app.defaultChannelId}`, { name: 'production' });
  const beta = await createChannel(app, { name: 'beta' });
  const first = await release(app, '2.3.9', 'Translations');
  const second = await release(app, '2.4.0', 'New search');
  await Promise.all(
    Array.from({ length: devices }, async (_, n) => {
      const device = { deviceId: `device-${n}`, channelName: 'production' };
      await checkForUpdate(app, device);
      await checkForUpdate(app, { ...device, bundleId: second.id });
    }),
  );
  return { tenant, app, production: app.defaultChannelId, beta: beta.id, releases: [first, second] };
}
