import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestBundle } from '../../test/builders/bundle.js';
import { createChannel } from '../../test/builders/channel.js';
import { createCertificate } from '../../test/builders/certificate.js';
import { type Actor, createMember, type TestMember } from '../../test/builders/identities.js';
import { givePassword, PASSWORD } from '../../test/builders/person.js';
import { publishManifest } from '../../test/builders/publication.js';
import { putPlan } from '../../test/builders/rollout-plan.js';
import { createWebhook } from '../../test/builders/webhook.js';
import { query } from '../../test/setup/databases.js';
import { testEnvironment } from '../../test/setup/test-environment.js';
import { eventually } from '../../test/support/eventually.js';
import { expectCreated } from '../../test/support/http/expect-created.js';
import { accessibilityProblems, Chromium, hasChromium } from '../../test/support/http/chromium.js';
import {
  createDestination,
  createReleaseBuild,
  endSubmission,
} from '../../test/support/stores/store-builds.js';
import { createShop, release, type Shop } from './shop.js';
import { type Visitor, visitorOf } from './visitor.js';

const describeInChromium = hasChromium ? describe : describe.skip;
const { databaseUrl, dataDir } = testEnvironment();

const sql = (text: string, ...values: unknown[]): Promise<object[]> => query(databaseUrl, text, values);

describeInChromium('what waits for a person', () => {
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
    ben = await memberCalled('Ben Okafor');
    await visitor.page.setViewportSize({ width: 1280, height: 844 });
    await visitor.signIn(shop.tenant.owner);
  });
  afterEach(() => {
    expect(visitor.problems).toEqual([]);
  });

  async function memberCalled(
    name: string,
    role: 'admin' | 'member' | 'viewer' | 'billing' = 'member',
  ): Promise<TestMember> {
    const member = await createMember(shop.tenant, role);
    await givePassword(member);
    await sql('UPDATE users SET name = $2 WHERE id = $1', member.userId, name);
    return member;
  }

  /** A release that waits for approvals. @returns its id */
  async function ask(who: Actor = ben, requiredApprovals = 1): Promise<string> {
    const governed = await shop.app.api.patch(`${shop.app.path}/channels/${shop.beta}`, {
      requiredApprovals,
    });
    expect(governed.status).toBe(200);
    const { buildId } = shop.releases[1]!;
    const body = { appBuildId: buildId, appChannelId: shop.beta, notes: 'Fix checkout on iPad' };
    return expectCreated<{ id: string }>(await who.api.post(`${shop.app.path}/deployments`, body)).id;
  }
  /** Takes a file away from the storage: the server reads what it knows as damaged again and again, and has to agree. */
  async function lose({ id }: TestBundle, href: string): Promise<void> {
    const [blob] = (await sql(
      `UPDATE blobs SET damage = 'missing', damaged_at = now() FROM bundle_files AS file
        WHERE file.blob_id = blobs.id AND file.bundle_id = $1 AND file.href = $2 RETURNING blobs.id`,
      id,
      href,
    )) as { id: string }[];
    await rm(join(dataDir, 'storage/objects/blobs', blob!.id.slice(-2), blob!.id));
  }
  /** A release that has gone to a store. @returns its id */
  async function submit(name: string, versionCode: string, state: 'failed' | 'prepared'): Promise<string> {
    const { app } = shop;
    // While it waits for an approval, no worker takes it.
    const { id: appDestinationId } = await createDestination(app, { name, requiredApprovals: 1 });
    const body = { appBuildId: await createReleaseBuild(app, { versionCode }), appDestinationId };
    const submitted = expectCreated<{ id: string; jobId: string }>(
      await app.api.post(`${app.path}/deployments`, body),
    );
    await sql(`UPDATE deployments SET approval_status = 'approved' WHERE id = $1`, submitted.id);
    await endSubmission(submitted, state);
    return submitted.id;
  }
  const pageOf = (id: string): string => `/apps/${shop.app.id}/deployments/${id}`;
  const channelPage = (): string => `/apps/${shop.app.id}/channels/${shop.beta}`;
  const statusOf = async (id: string): Promise<string> =>
    ((await shop.app.api.get(`${shop.app.path}/deployments/${id}`)).body as { approvalStatus: string })
      .approvalStatus;

  describe('the inbox', () => {
    it('says when nothing waits', async () => {
      await visitor.visit('/');
      const { page } = visitor;
      await page.getByRole('heading', { name: 'Inbox' }).waitFor();
      await page.locator('main b').getByText('Nothing waits for you.').waitFor();
      await page.getByRole('heading', { name: 'Apps' }).waitFor();
      await page.getByText('production: 2.4.0').waitFor();
    });

    it('shows each kind with its object, why, and a button that leads to where it is done', async () => {
      const { app, tenant } = shop;
      const approval = await ask();
      const { id: certificate } = await createCertificate(app, { name: 'Upload' });
      await sql(
        `UPDATE certificates SET expires_at = now() + interval '12 days 1 hour' WHERE id = $1`,
        certificate,
      );
      const submitted = await submit('Play', '42', 'failed');
      await sql(`UPDATE submissions SET message = 'The file was refused.' WHERE id = $1`, submitted);
      const stopped = await submit('Track', '43', 'prepared');
      await sql(
        `INSERT INTO store_releases (id, app_id, status, status_since, message)
         VALUES ($1, $2, 'halted', now(), 'The rollout is halted at 10 %.')`,
        stopped,
        app.id,
      );
      const damaged = await publishManifest(app, { 'index.html': randomUUID(), 'app.js': randomUUID() });
      await lose(damaged, 'app.js');
      // The last one: what comes to the channel supersedes its plans, also the upload that builds take their bytes from.
      const { deploymentId: held } = await release(app, '2.4.1', 'Fix', 0);
      await putPlan(app, held!, {}, 'start');
      await app.api.post(`${app.path}/deployments/${held}/rollout-plan/hold`, { comment: 'Checkout fails' });
      const organization = { path: `/v1/organizations/${tenant.organizationId}`, api: app.api };
      const webhook = await createWebhook(organization, { name: 'Chat' });
      await sql(`UPDATE webhooks SET enabled = false, disabled_reason = 'gone' WHERE id = $1`, webhook.id);

      await visitor.visit('/');
      const { page } = visitor;
      const rows: readonly (readonly [string, RegExp, string, RegExp | string])[] = [
        [
          'Approval',
          /Shop · beta · 2.4.0.*Ben Okafor asks: “Fix checkout on iPad”/,
          'Review',
          pageOf(approval),
        ],
        ['Plan held', /Shop · production · 2.4.1.*“Checkout fails”/, 'Look', pageOf(held!)],
        ['Refused', /Shop · Play · 1.4.0.*The file was refused./, 'Look', pageOf(submitted)],
        ['Stopped', /Shop · Track · 1.4.0.*The rollout is halted at 10 %./, 'Look', pageOf(stopped)],
        [
          'Damaged',
          /Shop · production · Build \d+.*1 stored file is damaged/,
          'Open',
          `/apps/${app.id}/builds/${damaged.buildId}`,
        ],
        ['Expiring', /Shop · Upload.*expires in 12 days/, 'Open', `/apps/${app.id}/signing`],
      ];
      const list = page.locator('.inbox > li');
      await eventually(async () =>
        expect((await list.locator('.status').allInnerTexts()).toSorted()).toEqual([
          'Approval',
          'Damaged',
          'Expiring',
          'Failing',
          'Plan held',
          'Refused',
          'Stopped',
        ]),
      );
      await page.getByText('7 things wait for you.').waitFor();
      for (const [status, text, verb, path] of rows) {
        await visitor.visit('/');
        const row = list.filter({ has: page.locator('.status', { hasText: status }) });
        await row.waitFor();
        expect(await row.innerText()).toMatch(new RegExp(text.source, 's'));
        await row.getByRole('link', { name: verb }).click();
        await page.waitForURL((url) => url.pathname === path);
        await page.locator('main h1').waitFor();
        expect(await page.getByText('There is no page at this address').count()).toBe(0);
      }
      // One request does it: it is done here.
      await visitor.visit('/');
      const failing = list.filter({ has: page.locator('.status', { hasText: 'Failing' }) });
      await failing.getByRole('button', { name: 'Enable' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Enable the webhook' }).click();
      await failing.waitFor({ state: 'detached' });
      expect((await app.api.get(webhook.path)).body).toMatchObject({ enabled: true });
    });

    it('shows what begins to wait, and what no longer does, within seconds', async () => {
      await visitor.visit('/');
      const { page } = visitor;
      await page.locator('main b').getByText('Nothing waits for you.').waitFor();
      await eventually(async () => expect(await page.getByText('not live').count()).toBe(0));
      const id = await ask();
      const row = page.locator('.inbox > li').filter({ hasText: 'Ben Okafor asks' });
      await row.waitFor({ timeout: 10_000 });
      await shop.app.api.post(`${shop.app.path}/deployments/${id}/approvals`, {});
      await row.waitFor({ state: 'detached', timeout: 10_000 });
      await createCertificate(shop.app, { name: 'Upload' });
      await sql(
        `UPDATE certificates SET expires_at = now() + interval '2 days' WHERE app_id = $1`,
        shop.app.id,
      );
      await page.locator('.inbox > li').filter({ hasText: 'Upload' }).waitFor({ timeout: 10_000 });
    });

    it('shows each role only what it may act on', async () => {
      await ask();
      const { page } = visitor;
      for (const [role, rows] of [
        ['admin', 1],
        ['member', 1],
        ['viewer', 0],
      ] as const) {
        await visitor.signIn(await memberCalled('Vera Lind', role));
        await visitor.visit('/');
        await page
          .getByText(rows === 0 ? 'Nothing waits for you.' : '1 thing waits for you.')
          .first()
          .waitFor();
        expect({ role, rows: await page.locator('.inbox > li').count() }).toEqual({ role, rows });
      }
      await visitor.signIn(await memberCalled('Bo Larsen', 'billing'));
      await visitor.visit('/');
      await page.getByText('You see no apps').waitFor();
      expect(visitor.requests.filter((path) => path.includes('/inbox'))).toEqual([]);
      await visitor.signIn(ben);
      await visitor.visit('/');
      await page.locator('main b').getByText('Nothing waits for you.').waitFor();
    });

    it('is text, whatever people have written', async () => {
      const text = `<img src=x onerror=alert(1)> \u202eשלום ${'long'.repeat(200)}`;
      await shop.app.api.patch(`${shop.app.path}/channels/${shop.beta}`, { requiredApprovals: 1 });
      const body = { appBuildId: shop.releases[1]!.buildId, appChannelId: shop.beta, notes: text };
      await ben.api.post(`${shop.app.path}/deployments`, body);
      for (const width of [1280, 390, 320]) {
        await visitor.page.setViewportSize({ width, height: 844 });
        await visitor.visit('/');
        await visitor.page.getByText('<img src=x').waitFor();
        const overflow = await visitor.page.evaluate<number>(
          'document.documentElement.scrollWidth - innerWidth',
        );
        expect({ width, overflow }).toEqual({ width, overflow: 0 });
      }
    });
  });

  describe('an approval', () => {
    it('is given on a phone by the link of the mail, with a sign-in in between', async () => {
      const id = await ask();
      const ada = await memberCalled('Ada Lovelace');
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
      const ada = await memberCalled('Ada Lovelace');
      await memberCalled('Vera Lind', 'viewer');
      await ada.api.post(`${shop.app.path}/deployments/${id}/approvals`, { comment: 'Tested' });
      await visitor.visit(channelPage());
      const { page } = visitor;
      await page.getByRole('heading', { name: '2.4.0 waits for approval' }).waitFor();
      const card = page.locator('.approval');
      await card.getByText('Ben Okafor asks for 2.4.0').waitFor();
      await page.getByText('1 of 2 approvals').waitFor();
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
      await visitor.signIn(await memberCalled('Vera Lind', 'viewer'));
      await visitor.visit(pageOf(id));
      await visitor.page.getByText('Your role may not approve releases.').waitFor();
      expect(await visitor.page.getByRole('button', { name: /Approve|Reject/ }).count()).toBe(0);
    });

    it.each(['approvals', 'reject'] as const)(
      'of two at once is one person’s, and the other sees who was first (%s)',
      async (theirs) => {
        const id = await ask();
        const ada = await memberCalled('Ada Lovelace');
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
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Freeze beta' }).click();
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
      expect(await page.getByRole('button', { name: /Lift/ }).count()).toBe(0);
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
      const admin = await memberCalled('Ada Lovelace', 'admin');
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

  it('says of an app whose summary could not be read that this has failed', async () => {
    await visitor.page.route('**/app-summaries**', (route) =>
      route.fulfill({
        status: 500,
        json: { status: 500, code: 'internal_error', message: 'Internal server error.' },
      }),
    );
    await visitor.visit('/');
    await visitor.page.getByText('What it delivers could not be read.').waitFor();
    await visitor.page.unrouteAll();
    // The browser itself reports the response.
    expect(visitor.problems.filter((problem) => !/status of 500/.test(problem))).toEqual([]);
    await visitor.signIn(shop.tenant.owner);
  });
});
