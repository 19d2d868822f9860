import { checkForUpdate } from '../../test/builders/device.js';
import { createMember } from '../../test/builders/identities.js';
import { givePassword } from '../../test/builders/person.js';
import { putPlan } from '../../test/builders/rollout-plan.js';
import { query } from '../../test/setup/databases.js';
import { testEnvironment } from '../../test/setup/test-environment.js';
import { eventually } from '../../test/support/eventually.js';
import { Chromium, hasChromium } from '../../test/support/http/chromium.js';
import { createShop, DEVICES, release, type Shop } from './shop.js';
import { signInAgain, visitorOf, type Visitor } from './visitor.js';

const describeInChromium = hasChromium ? describe : describe.skip;
const { databaseUrl } = testEnvironment();

describeInChromium('the releases of a channel', () => {
  let chromium: Chromium;
  let shop: Shop;
  let visitor: Visitor;

  beforeAll(async () => {
    chromium = await Chromium.start();
    visitor = await visitorOf(chromium, null);
  });
  afterAll(() => chromium.stop());
  beforeEach(async () => {
    shop = await createShop(DEVICES);
    await visitor.signIn(shop.tenant.owner);
  });
  afterEach(() => {
    expect(visitor.problems).toEqual([]);
  });

  const channelPath = (): string => `/apps/${shop.app.id}/channels/${shop.production}`;
  const deploymentsOf = async (): Promise<
    { id: string; appBuildId: string; rolloutPercentage: number; comment?: string | null }[]
  > => (await shop.app.api.get(`${shop.app.path}/deployments?appChannelId=${shop.production}`)).body as never;

  it('raises a share after it has said how many more devices get it', async () => {
    await release(shop.app, '2.4.1', 'Fix checkout on iPad', 0.1);
    await visitor.visit(channelPath());
    const { page } = visitor;
    await page.getByRole('heading', { name: 'production' }).waitFor();
    await page.getByText('Rolling out 10').first().waitFor();
    await page.getByRole('button', { name: 'Raise' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: '50 %' }).click();
    await dialog.getByText('more devices get it').waitFor();
    await dialog.getByLabel('Comment').fill('Looks good');
    await dialog.getByRole('button', { name: /Raise to 50/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Rolling out 50').first().waitFor();
    expect((await deploymentsOf())[0]).toMatchObject({ rolloutPercentage: 0.5, comment: 'Looks good' });
  });

  it('says before a raise that it ends the plan', async () => {
    const { deploymentId } = await release(shop.app, '2.4.1', 'Fix', 0);
    await putPlan(shop.app, deploymentId!, {}, 'start');
    await visitor.visit(channelPath());
    await visitor.page.getByRole('button', { name: 'Raise' }).click();
    await visitor.page.getByText('This ends the plan of 2.4.1').waitFor();
    await visitor.page.getByRole('button', { name: 'Cancel' }).click();
    await visitor.page.getByRole('button', { name: 'Hold the plan' }).click();
    await visitor.page.getByRole('dialog').getByRole('button', { name: 'Hold the plan' }).click();
    await visitor.page.getByText('Held').first().waitFor();

    // Its page says why, and its first button is what that asks for.
    const { page } = visitor;
    const main = page.locator('main .button.main');
    await visitor.visit(`/apps/${shop.app.id}/deployments/${deploymentId}`);
    await page.locator('.banner').filter({ hasText: '2.4.1 is held by a person' }).waitFor();
    expect(await main.allInnerTexts()).toEqual(['Resume the plan']);
    const evidence = { offered: 300, applied: 290, rolledBack: 9, notApplied: 0, blocked: 0 };
    await query(
      databaseUrl,
      `UPDATE rollout_plans SET reason = 'health-gate', evidence = $2,
              health_gate = '{"maxFailureShare":0.02,"minDevices":100,"confidence":0.95}' WHERE deployment_id = $1`,
      [deploymentId, JSON.stringify(evidence)],
    );
    await visitor.visit(`/apps/${shop.app.id}/deployments/${deploymentId}`);
    await page.getByText('9 devices of 290 that ran it had gone back, the limit is 2').waitFor();
    expect(await main.allInnerTexts()).toEqual(['Roll back 2.4.1']);
    await visitor.visit(channelPath());
    await visitor.page.getByRole('button', { name: 'Resume the plan' }).click();
    await visitor.page.getByRole('dialog').getByRole('button', { name: 'Resume the plan' }).click();
    await visitor.page.getByText('Rolling out 10').first().waitFor();

    // A roll-back is not just a newer release.
    const back = { appBuildId: shop.releases[1]!.buildId, appChannelId: shop.production };
    expect((await shop.app.api.post(`${shop.app.path}/deployments`, back)).status).toBe(201);
    await visitor.visit(`/apps/${shop.app.id}/deployments/${deploymentId}`);
    await page.getByText('ended early because it was rolled back by').waitFor();
  });

  it('rolls back to the last good build, and offers to undo that', async () => {
    const bad = await release(shop.app, '2.4.1', 'Fix checkout on iPad');
    await visitor.visit(channelPath());
    const { page } = visitor;
    await page.getByRole('button', { name: 'Roll back 2.4.1' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByLabel('Build', { exact: true }).inputValue()).resolves.toBe(
      shop.releases[1]!.buildId,
    );
    await dialog.getByLabel('Comment').fill('Checkout is broken');
    await dialog.getByRole('button', { name: 'Roll back to 2.4.0' }).click();
    await page.getByText('You rolled back 2.4.1').waitFor();
    expect((await deploymentsOf())[0]).toMatchObject({
      appBuildId: shop.releases[1]!.buildId,
      comment: 'Checkout is broken',
    });
    await page.getByRole('button', { name: 'Deploy it again' }).click();
    await page.getByRole('button', { name: 'Deploy 2.4.1' }).last().click();
    await page.getByLabel('Present release 2.4.1').waitFor();
    expect((await deploymentsOf())[0]).toMatchObject({ appBuildId: bad.buildId });
  });

  it('warns of a release that was rolled back before it comes back', async () => {
    await release(shop.app, '2.4.1', 'Fix', 0.25);
    const again = { appBuildId: shop.releases[1]!.buildId, appChannelId: shop.production };
    expect((await shop.app.api.post(`${shop.app.path}/deployments`, again)).status).toBe(201);
    await visitor.visit(channelPath());
    const { page } = visitor;
    await page.getByText('Rolled back').waitFor();
    await page.getByRole('button', { name: 'Deploy again: 2.4.1' }).click();
    await page.getByText('2.4.1 was rolled back before.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Roll back 2.4.0' }).click();
    await expect(page.getByLabel('Build', { exact: true }).inputValue()).resolves.toBe(
      shop.releases[0]!.buildId,
    );
    await page.getByLabel('Take 2.4.0 back').check();
    await page.getByText('they get 2.4.1 (25 %) and 2.4.0').waitFor();
    await page.getByText('2.4.1 comes back.').waitFor();
  });

  it('offers share 0 first where a new deployment would wait or be refused', async () => {
    await release(shop.app, '2.4.1', 'Fix');
    const freeze = {
      from: new Date(Date.now() - 60_000),
      to: new Date(Date.now() + 3_600_000),
      reason: 'Sale',
    };
    await shop.app.api.patch(`${shop.app.path}/channels/${shop.production}`, { freezeWindows: [freeze] });
    await visitor.visit(channelPath());
    const { page } = visitor;
    await page.getByText('Frozen until').waitFor();
    await page.getByRole('button', { name: 'Roll back 2.4.1' }).click();
    await expect(page.getByLabel('Take 2.4.1 back').isChecked()).resolves.toBe(true);
    await page.getByText('a new deployment would be refused').waitFor();
    await page.getByRole('button', { name: 'Take 2.4.1 back' }).click();
    await page.getByText('Taken back').first().waitFor();
    expect((await deploymentsOf())[0]).toMatchObject({ rolloutPercentage: 0 });
  });

  it('says before a pause how many devices of the channel get nothing then', async () => {
    await release(shop.app, '2.5.0-beta.1', 'Offline cart', 1, { channelName: 'beta' });
    for (const deviceId of ['tester-1', 'tester-2'])
      await checkForUpdate(shop.app, { deviceId, channelName: 'beta' });
    await visitor.visit(channelPath());
    await visitor.page.getByRole('button', { name: 'Pause' }).click();
    const effect = visitor.page.getByRole('dialog').locator('[aria-live]');
    await effect.waitFor();
    await expect(effect.textContent()).resolves.toBe(`${DEVICES} devices get no updates until then`);
  });

  it('says of a release without a share whether it was taken back, or is not delivered yet', async () => {
    const { deploymentId } = await release(shop.app, '2.4.1', 'Fix', 0);
    const { page } = visitor;
    for (const path of [
      `/apps/${shop.app.id}`,
      `/apps/${shop.app.id}/deployments/${deploymentId}`,
      channelPath(),
    ]) {
      await visitor.visit(path);
      await page.getByText('Not delivered yet').first().waitFor();
    }
    await page.getByText('None gets 2.4.1, all get 2.4.0.').waitFor();
    for (const rolloutPercentage of [0.1, 0]) {
      await shop.app.api.patch(`${shop.app.path}/deployments/${deploymentId}`, { rolloutPercentage });
    }
    await page.getByText('Taken back').first().waitFor();
    await visitor.visit(`/apps/${shop.app.id}`);
    await page.getByText('Taken back').first().waitFor();
  });

  it('says that nothing goes back while the channel is paused, and resumes it with the roll-back', async () => {
    await release(shop.app, '2.4.1', 'Fix');
    await shop.app.api.post(`${shop.app.path}/channels/${shop.production}/pause`, {});
    await visitor.visit(channelPath());
    const { page } = visitor;
    await page.getByText('Devices keep what they run.').waitFor();
    await page.getByRole('button', { name: 'Roll back 2.4.1' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('go back only when it is resumed').waitFor();
    await expect(dialog.getByLabel('Resume production with it').isChecked()).resolves.toBe(true);
    await dialog.getByRole('button', { name: 'Roll back to 2.4.0' }).click();
    await page.getByText('You rolled back 2.4.1').waitFor();
    const { body } = await shop.app.api.get(`${shop.app.path}/channels/${shop.production}`);
    expect(body).toMatchObject({ pausedAt: null });
    expect((await deploymentsOf())[0]).toMatchObject({ appBuildId: shop.releases[1]!.buildId });
  });

  it('shows who was faster when two people edit at once', async () => {
    const { deploymentId } = await release(shop.app, '2.4.1', 'Fix', 0.1);
    await visitor.visit(channelPath());
    const { page } = visitor;
    await page.getByRole('button', { name: 'Raise' }).click();
    await page.getByText('more devices get it').waitFor();
    const other = await createMember(shop.tenant, 'admin');
    const path = `${shop.app.path}/deployments/${deploymentId}`;
    await page.route(`**${path}`, async (route) => {
      if (route.request().method() === 'PATCH')
        await other.api.patch(path, { rolloutPercentage: 0.2, comment: 'Only a fifth, please' });
      await route.continue();
    });
    await page.getByRole('button', { name: /Raise to 25/ }).click();
    await page.getByText('This changed after the page was read.').waitFor();
    await page.unroute(`**${path}`);
    const { updatedBy } = (await other.api.get(path)).body as { updatedBy: { email: string } };
    expect(updatedBy.email).toBe(other.email);
    await page
      .getByText(new RegExp(`${other.email.split('@')[0]!} gave it to 20\\s% .*: Only a fifth, please`))
      .waitFor();
    expect((await deploymentsOf())[0]).toMatchObject({ rolloutPercentage: 0.2 });
    await page.getByRole('button', { name: /all the same/ }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await deploymentsOf())[0]).toMatchObject({ rolloutPercentage: 0.25 });
  });

  it('keeps what was typed when the session ends, and sends it after a new sign-in', async () => {
    await release(shop.app, '2.4.1', 'Fix', 0.1);
    await visitor.visit(channelPath());
    const { page } = visitor;
    await page.getByRole('button', { name: 'Raise' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Comment').fill('Before the sale');
    await page.context().clearCookies();
    await dialog.getByRole('button', { name: /Raise to 25/ }).click();
    await dialog.getByText('Your session has ended.').waitFor();
    expect((await deploymentsOf())[0]).toMatchObject({ rolloutPercentage: 0.1 });
    await signInAgain(page, shop.tenant.owner);
    await dialog.getByRole('button', { name: /Raise to 25/ }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await deploymentsOf())[0]).toMatchObject({ rolloutPercentage: 0.25, comment: 'Before the sale' });
  });

  it('starts a plan that waited for an approval', async () => {
    const { deploymentId } = await release(shop.app, '2.4.1', 'Fix', 0);
    await putPlan(shop.app, deploymentId!);
    await visitor.visit(channelPath());
    const { page } = visitor;
    await page.getByRole('button', { name: 'Start the plan' }).click();
    await page.getByText('2.4.1 goes to 10 % of devices now').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Start the plan' }).click();
    await page.getByText('Rolling out 10').first().waitFor();
    expect((await deploymentsOf())[0]).toMatchObject({ rolloutPercentage: 0.1 });
  });

  it('shows what others release within seconds', async () => {
    await visitor.visit(channelPath());
    await visitor.page.getByLabel('Present release 2.4.0').waitFor();
    // The stream is open by now.
    await eventually(async () => expect(await visitor.page.getByText('not live').count()).toBe(0));
    await release(shop.app, '2.5.0', 'From elsewhere');
    await visitor.page.getByLabel('Present release 2.5.0').waitFor({ timeout: 10_000 });
  });

  it('offers each role what it may do, and the API refuses all the same', async () => {
    const viewer = await createMember(shop.tenant, 'viewer');
    await givePassword(viewer);
    const other = await visitorOf(chromium, viewer);
    await other.visit(channelPath());
    await other.page.getByLabel('Present release 2.4.0').waitFor();
    expect(
      await other.page.getByRole('button', { name: /Roll back|Pause|Raise|Publish|Deploy/ }).count(),
    ).toBe(0);
    const [newest] = await deploymentsOf();
    const refused = await viewer.api.patch(`${shop.app.path}/deployments/${newest!.id}`, {
      rolloutPercentage: 0,
    });
    expect(refused.status).toBe(403);
    expect(other.problems).toEqual([]);
  });

  it('is text, whatever people have written', async () => {
    const text = `<img src=x onerror=alert(1)> \u202eשלום 🚀 ${'long'.repeat(200)}`;
    await shop.app.api.patch(`${shop.app.path}/channels/${shop.production}`, { name: 'feature/pr-12 🚀' });
    await release(shop.app, '<b>2.4.1</b>', text, 1, { channelName: 'feature/pr-12 🚀' });
    await visitor.visit(channelPath());
    await visitor.page.getByRole('heading', { name: 'feature/pr-12 🚀' }).waitFor();
    await visitor.page.getByText('<b>2.4.1</b>').first().waitFor();
    const overflow = await visitor.page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
  });
});
