import { createApp } from '../../builders/app.js';
import { createCertificate } from '../../builders/certificate.js';
import { createEnvironment } from '../../builders/environment.js';
import { createTenant } from '../../builders/identities.js';
import { OwnSite } from '../../support/servers/own-site.js';

let site: OwnSite;

beforeAll(async () => {
  site = await OwnSite.start();
});
afterAll(() => site.dispose());

it('lists at the start what has patterns that only mean branches', async () => {
  const app = await createApp(await createTenant(site));
  const environment = await createEnvironment(app, { allowedRefs: ['main', 'refs/tags/v*', 'release/*'] });
  const certificate = await createCertificate(app, { allowedRefs: 'v*' });
  await createEnvironment(app, { allowedRefs: ['refs/heads/main'] });
  await createEnvironment(app);
  await site.restart();
  const lines = site.server.log
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ context }) => context === 'UnqualifiedPatternsTask');
  expect(lines).toEqual([
    expect.objectContaining({
      type: 'environment',
      id: environment.id,
      appId: app.id,
      name: environment.name,
      patterns: ['main', 'release/*'],
      msg: expect.stringContaining(environment.name) as string,
    }),
    expect.objectContaining({ type: 'certificate', id: certificate.id, patterns: ['v*'] }),
  ]);
});
