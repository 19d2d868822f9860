import { createChannel } from '../../test/builders/channel.js';
import type { Actor, TestMember } from '../../test/builders/identities.js';
import { PASSWORD } from '../../test/builders/person.js';
import { eventually } from '../../test/support/eventually.js';
import { accessibilityProblems, Chromium, hasChromium } from '../../test/support/http/chromium.js';
import type { Role } from '../../src/common/access/permissions.js';
import { createShop, release, type Shop } from './shop.js';
import { askFor, memberCalled } from './team.js';
import { type Visitor, visitorOf } from './visitor.js';

const describeInChromium = hasChromium ? describe : describe.skip;

describeInChromium('the governance of a channel', () => {
  let chromium: Chromium;
  let shop: Shop;
  let visitor: Visitor;
  /** Who asks for approvals. */
  let ben: TestMember;

  beforeAll(async () => {
    chromium = await Chromium.start();
    visitor = await visitorOf(chromium, null);
  });
  afterAll(() => chromium.stop());
  beforeEach(async () => {
    shop = await createShop();
    ben = await memberCalled(shop, 'Ben Okafor');
    await visitor.page.setViewportSize({ width: 1280, height: 844 });
    await visitor.signIn(shop.tenant.owner);
  });
  afterEach(() => {
    expect(visitor.problems).toEqual([]);
  });

  const teammate = (name: string, role?: Role): Promise<TestMember> => memberCalled(shop, name, role);
  const ask = (who: Actor = ben, requiredApprovals = 1): Promise<string> =>
    askFor(shop, who, requiredApprovals);
  const pageOf = (id: string): string => `/apps/${shop.app.id}/deployments/${id}`;
  const channelPage = (): string => `/apps/${shop.app.id}/channels/${shop.beta}`;
  const statusOf = async (id: string): Promise<string> =>
    ((await shop.app.api.get(`${shop.app.path}/deployments/${id}`)).body as { approvalStatus: string })
      .approvalStatus;

  describe('an approval', () => {
    it('is given on a phone by the link of the mail, with a sign-in in between', async () => {
      const id = await ask();
      const ada = await teammate('Ada Lovelace');
      const phone = await visitorOf(chromium, null, { width: 390 });
      const { page } = phone;
      await phone.visit(pageOf(id));
      await page.waitForURL(/\/login\?next=/);
      await page.getByLabel('E-mail address').fill(ada.email);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: '2.4.0' }).waitFor();
      await page.getByText('Waits for 1 approval.').waitFor();
      await page.locator('.approval').getByText('Fix checkout on iPad').waitFor();
      await page.getByText(/Can be approved by you or /).waitFor();
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect(overflow).toBe(0);
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole('button', { name: 'Approve', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog
        .getByText('This is the last approval: 2.4.0 goes to beta at once, for all devices.')
        .waitFor();
      await dialog.getByLabel('Comment').fill('Tested on two tablets');
      await dialog.getByRole('button', { name: 'Approve 2.4.0' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('Live', { exact: true }).first().waitFor();
      expect(await statusOf(id)).toBe('approved');
      await page.getByText('Tested on two tablets').waitFor();
      expect(phone.problems).toEqual([]);
    });

    it('shows who has given it and who can, and waits for the others', async () => {
      const id = await ask(ben, 2);
      const ada = await teammate('Ada Lovelace');
      await teammate('Vera Lind', 'viewer');
      await ada.api.post(`${shop.app.path}/deployments/${id}/approvals`, { comment: 'Tested' });
      await visitor.visit(channelPage());
      const { page } = visitor;
      await page.getByRole('heading', { name: '2.4.0 waits for approval' }).waitFor();
      const card = page.locator('.approval');
      await card.getByText('Ben Okafor asks for 2.4.0').waitFor();
      await page.getByText('1 of 2 approvals').waitFor();
      expect(await page.locator('main .button.main').allInnerTexts()).toEqual(['Approve']);
      await card.locator('li').filter({ hasText: 'Ada Lovelace' }).getByText('Tested').waitFor();
      expect(await card.innerText()).toContain('Can be approved by you.');
      expect(await card.innerText()).not.toContain('Vera');
      await card.getByRole('button', { name: 'Reject' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Comment').fill('The checkout is broken');
      await dialog.getByRole('button', { name: 'Reject 2.4.0' }).click();
      await dialog.waitFor({ state: 'detached' });
      await card.waitFor({ state: 'detached' });
      expect(await statusOf(id)).toBe('rejected');
      await visitor.visit(pageOf(id));
      await page.locator('.approval').getByText('The checkout is broken').waitFor();
    });

    it('is not the asker’s own, who sees why', async () => {
      const id = await ask();
      await visitor.signIn(ben);
      const { page } = visitor;
      for (const path of [pageOf(id), channelPage()]) {
        await visitor.visit(path);
        await page.getByText('You asked for this approval: another person has to give it.').waitFor();
        const button = page.getByRole('button', { name: 'Approve', exact: true });
        await expect(button.getAttribute('aria-disabled')).resolves.toBe('true');
        await button.click({ force: true });
        expect(await page.getByRole('dialog').count()).toBe(0);
      }
      await page.getByRole('button', { name: 'Reject' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Reject 2.4.0' }).click();
      await eventually(async () => expect(await statusOf(id)).toBe('rejected'));
    });

    it('is not offered to a role that may not give it', async () => {
      const id = await ask();
      await visitor.signIn(await teammate('Vera Lind', 'viewer'));
      await visitor.visit(pageOf(id));
      await visitor.page.getByText('Your role may not approve releases.').waitFor();
      expect(await visitor.page.getByRole('button', { name: /Approve|Reject/ }).count()).toBe(0);
    });

    it.each(['approvals', 'reject'] as const)(
      'of two at once is one person’s, and the other sees who was first (%s)',
      async (theirs) => {
        const id = await ask();
        const ada = await teammate('Ada Lovelace');
        await visitor.visit(pageOf(id));
        const { page } = visitor;
        await page.getByRole('button', { name: 'Approve', exact: true }).click();
        const path = `${shop.app.path}/deployments/${id}`;
        await page.route(`**${path}/approvals`, async (route) => {
          await ada.api.post(`${path}/${theirs}`, { comment: 'On my phone' });
          await route.continue();
        });
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('button', { name: 'Approve 2.4.0' }).click();
        const did = theirs === 'reject' ? 'rejected' : 'approved';
        await dialog.getByText(new RegExp(`Ada Lovelace was first: ${did} it .*: On my phone`)).waitFor();
        await expect(
          dialog.getByRole('button', { name: 'Approve 2.4.0' }).getAttribute('aria-disabled'),
        ).resolves.toBe('true');
        expect(await statusOf(id)).toBe(theirs === 'reject' ? 'rejected' : 'approved');
        await page.unroute(`**${path}/approvals`);
      },
    );

    it('is withdrawn by the person who has given it', async () => {
      const id = await ask(ben, 2);
      await visitor.visit(channelPage());
      const { page } = visitor;
      await page.getByRole('button', { name: 'Approve', exact: true }).click();
      await page.getByText('2.4.0 then waits for 1 more approval.').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Approve 2.4.0' }).click();
      await page.getByRole('button', { name: 'Withdraw your approval' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Withdraw it' }).click();
      await page.getByText('0 of 2 approvals').waitFor();
      await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
      expect(await statusOf(id)).toBe('pending');
    });

    it('is passed over in an emergency by those who may, with a reason', async () => {
      const id = await ask(shop.tenant.owner);
      await visitor.visit(pageOf(id));
      const { page } = visitor;
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Approve as emergency…' }).click();
      const dialog = page.getByRole('dialog');
      const confirm = dialog.getByRole('button', { name: 'Approve 2.4.0 as emergency' });
      expect(await confirm.getAttribute('title')).toBe('Say why it cannot wait.');
      await confirm.click({ force: true });
      expect(await statusOf(id)).toBe('pending');
      await dialog.getByLabel('Why it cannot wait').fill('Payments fail');
      await confirm.click();
      await page.getByText('Live', { exact: true }).first().waitFor();
      const { body } = await shop.app.api.get(`${shop.app.path}/deployments/${id}`);
      expect(body).toMatchObject({ approvalStatus: 'approved', emergency: { reason: 'Payments fail' } });

      // Not for those who may approve only, and not where one approval is enough.
      const other = await ask();
      for (const person of [await teammate('Ada Lovelace'), shop.tenant.owner]) {
        await visitor.signIn(person);
        await visitor.visit(pageOf(other));
        await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
        await page.getByRole('button', { name: 'More' }).click();
        await page.getByRole('menuitem', { name: 'As command' }).waitFor();
        expect(await page.getByRole('menuitem', { name: /emergency/ }).count()).toBe(0);
      }
    });

    it('says that a freeze refuses the last one, with the sentence of the server', async () => {
      const id = await ask();
      const window = {
        from: new Date(Date.now() - 60_000),
        to: new Date(Date.now() + 3_600_000),
        reason: 'Sale',
      };
      await shop.app.api.patch(`${shop.app.path}/channels/${shop.beta}`, { freezeWindows: [window] });
      await visitor.visit(pageOf(id));
      const { page } = visitor;
      await page.getByText('the last approval is refused until then').waitFor();
      await page.getByRole('button', { name: 'Approve', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Approve 2.4.0' }).click();
      await page
        .getByRole('dialog')
        .getByText(/frozen/)
        .waitFor();
      expect(await statusOf(id)).toBe('pending');
    });
  });

  describe('the freezes of a channel', () => {
    const windowsOf = async (): Promise<{ from: string; to: string; reason: string | null }[]> =>
      ((await shop.app.api.get(`${shop.app.path}/channels/${shop.beta}`)).body as never)['freezeWindows'];
    const local = (ahead: number): string => {
      const time = new Date(Date.now() + ahead);
      return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    };

    it('are set and lifted by those who may, and shown to all', async () => {
      await visitor.visit(channelPage());
      const { page } = visitor;
      await page.getByRole('button', { name: 'Add a freeze' }).click();
      const dialog = page.getByRole('dialog');
      await expect(
        dialog.getByRole('button', { name: 'Freeze beta' }).getAttribute('aria-disabled'),
      ).resolves.toBe('true');
      await dialog.locator('input[type=datetime-local]').last().fill(local(86_400_000));
      await dialog.getByLabel('Reason').fill('Holidays');
      await dialog.getByRole('button', { name: 'Freeze beta' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('Frozen until').waitFor();
      await page.getByText('Holidays').waitFor();
      expect(await windowsOf()).toMatchObject([{ reason: 'Holidays' }]);

      await visitor.signIn(ben);
      await visitor.visit(channelPage());
      await page.getByText('Holidays').waitFor();
      expect(await page.getByRole('button', { name: /Lift|Add a freeze/ }).count()).toBe(0);
      await page.getByRole('button', { name: 'More' }).click();
      expect(await page.getByRole('menuitem', { name: /Freeze/ }).count()).toBe(0);

      await visitor.signIn(shop.tenant.owner);
      await visitor.visit(channelPage());
      await page.getByRole('button', { name: 'Lift the freeze Holidays' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Lift the freeze' }).click();
      await page.getByText('Frozen until').waitFor({ state: 'detached' });
      expect(await windowsOf()).toEqual([]);
    });

    it('say who was faster, and keep what others have set', async () => {
      const { app, beta } = shop;
      const admin = await teammate('Ada Lovelace', 'admin');
      await visitor.visit(channelPage());
      const { page } = visitor;
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Freeze beta' }).click();
      const path = `${app.path}/channels/${beta}`;
      const theirs = {
        from: new Date(Date.now() + 3_600_000),
        to: new Date(Date.now() + 7_200_000),
        reason: 'Sale',
      };
      expect((await admin.api.patch(path, { freezeWindows: [theirs], comment: 'For the sale' })).status).toBe(
        200,
      );
      const dialog = page.getByRole('dialog');
      await dialog.locator('input[type=datetime-local]').last().fill(local(86_400_000));
      await dialog.getByRole('button', { name: 'Freeze beta' }).click();
      await dialog.getByText(/Ada Lovelace changed beta, .*: For the sale/).waitFor();
      expect(await windowsOf()).toHaveLength(1);
      await dialog.getByRole('button', { name: /all the same/ }).click();
      await dialog.waitFor({ state: 'detached' });
      expect((await windowsOf()).map(({ reason }) => reason)).toEqual(['Sale', null]);
      await page.getByText('Planned').waitFor();
    });
  });

  it('has a history with pauses, and the reason of a roll-back', async () => {
    const { app, production } = shop;
    const { deploymentId } = await release(app, '2.4.1', 'Fix');
    await app.api.post(`${app.path}/channels/${production}/pause`, { comment: 'Wait for the store' });
    await app.api.post(`${app.path}/channels/${production}/resume`, {});
    await visitor.visit(pageOf(deploymentId!));
    const { page } = visitor;
    await page.locator('.happened').getByText('Wait for the store').waitFor();
    await visitor.visit(`/apps/${app.id}/channels/${production}`);
    await page.getByRole('button', { name: 'Roll back 2.4.1' }).click();
    await page.getByRole('dialog').getByLabel('Comment').fill('Checkout is broken');
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back to 2.4.0' }).click();
    const banner = page.locator('.banner').filter({ hasText: 'You rolled back 2.4.1' });
    await banner.getByText('Checkout is broken').waitFor();
    await visitor.visit(pageOf(deploymentId!));
    await page
      .locator('.banner')
      .filter({ hasText: '2.4.1 was rolled back' })
      .getByText('Checkout is broken')
      .waitFor();
    const channel = await createChannel(app, { name: 'other' });
    await app.api.post(`${app.path}/channels/${channel.id}/pause`, { comment: 'Elsewhere' });
    await visitor.visit(pageOf(deploymentId!));
    await page.locator('.happened').first().waitFor();
    expect(await page.getByText('Elsewhere').count()).toBe(0);
  });
});
