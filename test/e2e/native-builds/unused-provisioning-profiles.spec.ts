import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant } from '../../builders/identities.js';
import { createIosSigning, createProfile } from '../../builders/provisioning-profile.js';
import { OwnSite } from '../../support/servers/own-site.js';
import { runQueue } from '../../support/servers/run-queue.js';

let site: OwnSite;
let app: TestApp;
beforeAll(async () => {
  site = await OwnSite.start();
  app = await createApp(await createTenant(site));
});
afterAll(() => site.dispose());

it('provisioning profiles without a certificate are deleted after a day', async () => {
  const { profiles } = await createIosSigning(app);
  const linked = profiles.map(({ id }) => id);
  const unused = [(await createProfile(app)).id, (await createProfile(app)).id];
  const left = async (hours: number): Promise<string[]> => {
    await site.query(`UPDATE provisioning_profiles SET created_at = now() - $1 * interval '1 hour'`, [hours]);
    await runQueue(site, 'unused-provisioning-profiles');
    return (await site.query<{ id: string }>('SELECT id FROM provisioning_profiles'))
      .map(({ id }) => id)
      .sort();
  };
  expect(await left(23)).toEqual([...linked, ...unused].sort());
  expect(await left(25)).toEqual(linked);
});
