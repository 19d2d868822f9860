import { Webhook as StandardWebhook } from 'standardwebhooks';
import { createApp, type TestApp } from '../builders/app.js';
import { registerBundle } from '../builders/bundle.js';
import { createTenant } from '../builders/identities.js';
import { publishZip } from '../builders/publication.js';
import { createWebhook } from '../builders/webhook.js';
import { QUICK_OPTIONS } from '../setup/node-options.js';
import { eventually } from '../support/eventually.js';
import { behaviours, WebhookReceiver } from '../support/notifications/webhook-receiver.js';
import { shiftedClock } from '../support/processes/shifted-clock.js';
import { OwnSite } from '../support/servers/own-site.js';
import { uniqueName } from '../support/unique-name.js';

/* A server whose clock is wrong. What expires does so by the clock of the database. */

const MINUTE = 60_000;

describe.each([
  ['ahead', 60 * MINUTE],
  ['behind', -60 * MINUTE],
])('a server whose clock is an hour %s', (_which, ahead) => {
  let site: OwnSite;
  let app: TestApp;

  beforeAll(async () => {
    const nodeOptions = [...QUICK_OPTIONS, shiftedClock(ahead)];
    site = await OwnSite.start({}, undefined, { nodeOptions });
    app = await createApp(await createTenant(site));
  });
  afterAll(() => site.dispose());

  /** The bundle that a device is offered; `null`: none. */
  async function offered(): Promise<string | null> {
    const response = await fetch(`${site.origin}${app.path}/bundles/latest?platform=0`);
    return ((await response.json()) as { bundleId?: string }).bundleId ?? null;
  }

  const minutes = (count: number): string => new Date(Date.now() + count * MINUTE).toISOString();

  it('offers a bundle until the bundle or its channel expires', async () => {
    const { id } = await publishZip(app, { 'index.html': 'Hello' });
    for (const table of ['bundles', 'channels']) {
      for (const [expiry, expected] of [
        ['10 minutes', id],
        ['-10 minutes', null],
      ] as const) {
        await site.query(`UPDATE ${table} SET expires_at = now() + $1::interval`, [expiry]);
        await eventually(async () => expect(await offered()).toBe(expected));
      }
      await site.query(`UPDATE ${table} SET expires_at = NULL`);
    }
  });

  it('freezes a channel exactly within its windows', async () => {
    const channel = `${app.path}/channels/${app.defaultChannelId}`;
    const { buildId: appBuildId } = await registerBundle(app);
    for (const [from, to, status] of [
      [10, 120, 201],
      [-120, -10, 201],
      [-10, 10, 409],
    ] as const) {
      const freezeWindows = [{ from: minutes(from), to: minutes(to) }];
      expect(await app.api.patch(channel, { freezeWindows })).toMatchObject({ status: 200 });
      const deployment = { appBuildId, appChannelId: app.defaultChannelId };
      expect(await app.api.post(`${app.path}/deployments`, deployment)).toMatchObject({ status });
    }
  });

  it('tries a delivery again on time, signed with a time that receivers accept', async () => {
    const receiver = await WebhookReceiver.start();
    const name = uniqueName('receiver');
    const signingSecret = 'a secret of a person';
    const url = receiver.url(name, behaviours.status(503));
    await createWebhook(app, { url, signingSecret, events: ['app_channel_paused'] });
    await app.api.post(`${app.path}/channels/${app.defaultChannelId}/pause`);
    await eventually(() => expect(receiver.of(name)).toHaveLength(1));
    receiver.change(name, behaviours.ok);
    await eventually(() => expect(receiver.of(name)).toHaveLength(2));
    const verifier = new StandardWebhook(signingSecret, { format: 'raw' });
    for (const { headers, body } of receiver.of(name)) {
      expect(verifier.verify(body, headers as Record<string, string>)).toMatchObject({
        event: 'app_channel_paused',
      });
    }
    await receiver.stop();
  });

  it('accepts a token that expires in the future only', async () => {
    const create = (expiresAt: string) => app.api.post('/v1/tokens', { name: 'CI', expiresAt });
    expect(await create(minutes(10))).toMatchObject({ status: 201 });
    expect(await create(minutes(-10))).toMatchObject({ status: 400 });
  });
});
