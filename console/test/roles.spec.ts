import { createApp } from '../../test/builders/app.js';
import { createMember } from '../../test/builders/identities.js';
import { givePassword } from '../../test/builders/person.js';
import { putPlan } from '../../test/builders/rollout-plan.js';
import { someOf } from '../../test/setup/depth.js';
import { testEnvironment } from '../../test/setup/test-environment.js';
import { eventually } from '../../test/support/eventually.js';
import type { Api } from '../../test/support/http/api.js';
import { Chromium, hasChromium } from '../../test/support/http/chromium.js';
import { type Role, roleGrants, type RolePermission, roles } from '../../src/common/access/permissions.js';
import { runBuild, type RunningBuild } from './made-build.js';
import { createShop, release, type Shop } from './shop.js';
import { type Visitor, visitorOf } from './visitor.js';

const describeInChromium = hasChromium ? describe : describe.skip;
const { origin } = testEnvironment();

describeInChromium('what a role may not do', () => {
  let chromium: Chromium;
  let visitor: Visitor;
  let shop: Shop;
  let deploymentId: string;
  let built: RunningBuild;
  let running: RunningBuild;
  let waitingId: string;

  beforeAll(async () => {
    chromium = await Chromium.start();
    visitor = await visitorOf(chromium, null);
    shop = await createShop();
    // A teammate, and a plan: there are as many buttons as there can be.
    await createApp(shop.tenant, { name: 'Courier' });
    deploymentId = (await release(shop.app, '2.4.1', 'Fix checkout on iPad', 0)).deploymentId!;
    await putPlan(shop.app, deploymentId, {}, 'start');
    built = await runBuild(shop.app);
    await built.print('built\n');
    await built.end('succeeded');
    running = await runBuild(shop.app);
    await running.print('building\n');
    const freeze = {
      from: new Date(Date.now() + 3_600_000_000),
      to: new Date(Date.now() + 3_700_000_000),
      reason: 'Holidays',
    };
    await shop.app.api.patch(`${shop.app.path}/channels/${shop.beta}`, {
      requiredApprovals: 1,
      freezeWindows: [freeze],
    });
    const asked = { appBuildId: shop.releases[0]!.buildId, appChannelId: shop.beta };
    waitingId = ((await shop.app.api.post(`${shop.app.path}/deployments`, asked)).body as { id: string }).id;
  });
  afterAll(() => chromium.stop());

  /** Screens with what stands on them for all roles that may see them, and their buttons with what these need. */
  const screens = (): readonly (readonly [
    name: string,
    path: string,
    shown: string,
    buttons: Readonly<Record<string, RolePermission>>,
  ])[] => [
    ['apps', '/', 'Courier', { 'Create app': 'apps:write' }],
    ['overview', `/apps/${shop.app.id}`, 'beta', { Publish: 'bundles:write' }],
    [
      'channel',
      `/apps/${shop.app.id}/channels/${shop.production}`,
      'Translations',
      {
        Publish: 'bundles:write',
        'Roll back 2.4.1': 'deployments:write',
        Raise: 'deployments:write',
        'Hold the plan': 'deployments:write',
        'Deploy again': 'deployments:write',
        Pause: 'channels:write',
      },
    ],
    [
      'channel with an approval and a freeze',
      `/apps/${shop.app.id}/channels/${shop.beta}`,
      'waits for approval',
      {
        Approve: 'deployments:approve',
        Reject: 'deployments:approve',
        Remove: 'channels:govern',
        'Add a freeze': 'channels:govern',
      },
    ],
    [
      'release that waits',
      `/apps/${shop.app.id}/deployments/${waitingId}`,
      'Waits for approval',
      { Approve: 'deployments:approve', Reject: 'deployments:approve' },
    ],
    [
      'release',
      `/apps/${shop.app.id}/deployments/${deploymentId}`,
      'Health',
      {
        Raise: 'deployments:write',
        'Hold the plan': 'deployments:write',
        'Roll back 2.4.1': 'deployments:write',
        'Pause production': 'channels:write',
      },
    ],
    ['channels', `/apps/${shop.app.id}/channels`, 'beta', { 'Create channel': 'channels:write' }],
    ['builds', `/apps/${shop.app.id}/builds`, 'Went to', { 'Start a build': 'builds:write' }],
    [
      'build',
      `/apps/${shop.app.id}/builds/${built.id}`,
      'Artifacts',
      { 'Deploy to…': 'deployments:write', Share: 'builds:write', 'Run again': 'builds:write' },
    ],
    ['running build', `/apps/${shop.app.id}/builds/${running.id}`, 'Log', { 'Cancel build': 'builds:write' }],
    ['devices', `/apps/${shop.app.id}/devices`, 'device-1', {}],
    [
      'device',
      `/apps/${shop.app.id}/devices?id=device-1`,
      'History',
      { 'Force to a channel': 'devices:write' },
    ],
    ['publish', `/apps/${shop.app.id}/publish`, 'ublish', { Publish: 'bundles:write' }],
  ];

  /** What the buttons send, as a request by hand, with what it needs. A role that has it is not asked: it would do it. */
  const requests = (): readonly (readonly [RolePermission, (api: Api) => Promise<{ status: number }>])[] => {
    const { app, tenant, production, releases } = shop;
    const deployment = `${app.path}/deployments/${deploymentId}`;
    const again = { appBuildId: releases[0]!.buildId, appChannelId: production };
    return [
      ['apps:write', (api) => api.post(`/v1/apps?organizationId=${tenant.organizationId}`, { name: 'Mine' })],
      ['bundles:write', (api) => api.post(`${app.path}/bundles`, { artifactType: 'zip' })],
      ['deployments:write', (api) => api.patch(deployment, { rolloutPercentage: 0 })],
      ['deployments:write', (api) => api.post(`${app.path}/deployments`, again)],
      ['deployments:write', (api) => api.post(`${deployment}/rollout-plan/hold`, {})],
      ['deployments:write', (api) => api.post(`${deployment}/rollout-plan/abort`, {})],
      ['channels:write', (api) => api.post(`${app.path}/channels/${production}/pause`, {})],
      ['channels:write', (api) => api.post(`${app.path}/channels`, { name: 'another' })],
      ['builds:write', (api) => api.post(`${app.path}/builds`, { platform: 'web', gitRef: 'main' })],
      ['builds:write', (api) => api.patch(`/v1/jobs/${running.jobId}`, { status: 'canceled' })],
      ['builds:write', (api) => api.post(`${app.path}/builds/${built.id}/shares`, {})],
      ['devices:write', (api) => api.patch(`${app.path}/devices/device-1`, { forcedAppChannelId: null })],
      ['devices:write', (api) => api.delete(`${app.path}/devices?id=device-1`)],
      ['deployments:approve', (api) => api.post(`${app.path}/deployments/${waitingId}/approvals`, {})],
      ['deployments:approve', (api) => api.post(`${app.path}/deployments/${waitingId}/reject`, {})],
      ['channels:govern', (api) => api.patch(`${app.path}/channels/${shop.beta}`, { freezeWindows: [] })],
    ];
  };

  it.each(roles)('is not offered to the role %s, and the API refuses it all the same', async (role: Role) => {
    const member = await createMember(shop.tenant, role);
    await givePassword(member);
    await visitor.signIn(member);
    const { page } = visitor;
    const seesApps = roleGrants(role, 'apps:read');
    for (const [name, path, shown, buttons] of someOf(screens(), roles.indexOf(role))) {
      await page.goto(origin + path);
      if (!seesApps) {
        await page
          .getByText(/You see no apps|There is no|You may not/)
          .first()
          .waitFor();
        await page.locator('a[href="/"]').first().waitFor();
      } else await page.getByText(shown).first().waitFor();
      const allowed = Object.keys(buttons).filter((button) => roleGrants(role, buttons[button]!));
      await eventually(async () => {
        const shownNow = await page.locator('main button').allInnerTexts();
        const offered = Object.keys(buttons).filter((button) => shownNow.includes(button));
        expect({ name, offered }).toEqual({ name, offered: allowed });
      });
    }
    const refused = requests().filter(([permission]) => !roleGrants(role, permission));
    for (const [permission, send] of refused) {
      expect({ permission, status: (await send(member.api)).status }).toEqual({ permission, status: 403 });
    }
    expect(visitor.problems).toEqual([]);
  });
});
