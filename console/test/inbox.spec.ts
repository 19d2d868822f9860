import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestBundle } from '../../test/builders/bundle.js';
import { createCertificate } from '../../test/builders/certificate.js';
import type { Actor, TestMember } from '../../test/builders/identities.js';
import { publishManifest } from '../../test/builders/publication.js';
import { putPlan } from '../../test/builders/rollout-plan.js';
import { createWebhook } from '../../test/builders/webhook.js';
import { query } from '../../test/setup/databases.js';
import { testEnvironment } from '../../test/setup/test-environment.js';
import { eventually } from '../../test/support/eventually.js';
import { expectCreated } from '../../test/support/http/expect-created.js';
import { Chromium, hasChromium } from '../../test/support/http/chromium.js';
import {
  createDestination,
  createReleaseBuild,
  endSubmission,
} from '../../test/support/stores/store-builds.js';
import type { Role } from '../../src/common/access/permissions.js';
import { createShop, release, type Shop } from './shop.js';
import { askFor, memberCalled } from './team.js';
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
        await visitor.signIn(await teammate('Vera Lind', role));
        await visitor.visit('/');
        await page
          .getByText(rows === 0 ? 'Nothing waits for you.' : '1 thing waits for you.')
          .first()
          .waitFor();
        expect({ role, rows: await page.locator('.inbox > li').count() }).toEqual({ role, rows });
      }
      await visitor.signIn(await teammate('Bo Larsen', 'billing'));
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
