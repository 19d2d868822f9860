import type { Page } from 'playwright-core';
import { createMember } from '../../test/builders/identities.js';
import { givePassword } from '../../test/builders/person.js';
import { eventually } from '../../test/support/eventually.js';
import { Chromium, hasChromium } from '../../test/support/http/chromium.js';
import { createShop, release, type Shop } from './shop.js';
import { visitorOf } from './visitor.js';

const describeInChromium = hasChromium ? describe : describe.skip;

/** Until a release shows that was made elsewhere, in milliseconds: on an open page, and after a cut of the stream. */
const [LIVE, CUT] = [3000, 10_000];

describeInChromium('changes that others make', () => {
  let chromium: Chromium;
  let shop: Shop;
  let next = 0;

  beforeAll(async () => {
    chromium = await Chromium.start();
    shop = await createShop();
  });
  afterAll(() => chromium.stop());

  const address = (): string => `/apps/${shop.app.id}/channels/${shop.production}`;
  const isLive = (page: Page): Promise<void> =>
    eventually(async () => expect(await page.getByText('not live').count()).toBe(0));

  /**
   * Releases, until one of three shows in time on all pages. On a machine that is busy, where the release itself takes
   * long, it may show later.
   */
  async function showsWithin(ms: number, pages: readonly Page[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const name = `3.0.${next++}`;
      const begun = performance.now();
      await release(shop.app, name, 'From elsewhere');
      const timeout = ms + 10 * (performance.now() - begun);
      const shown = pages.map((page) => page.getByLabel(`Present release ${name}`).waitFor({ timeout }));
      const late = (await Promise.allSettled(shown)).filter(({ status }) => status === 'rejected');
      if (late.length === 0) return;
      if (attempt === 3) throw new Error(`${late.length} of ${pages.length} pages do not show ${name}.`);
    }
  }

  it('come to all tabs of a browser by one stream, which the next tab opens when the first is closed', async () => {
    const visitor = await visitorOf(chromium, shop.tenant.owner);
    const context = visitor.page.context();
    const streams: string[] = [];
    context.on('request', (request) => {
      if (request.url().endsWith('/changes')) streams.push(request.url());
    });
    await visitor.visit(address());
    const others = [await context.newPage(), await context.newPage()];
    for (const page of others) {
      await page.goto(visitor.page.url());
      await page.getByRole('heading', { name: 'production' }).waitFor();
    }
    await showsWithin(LIVE, [visitor.page, ...others]);
    expect(streams).toHaveLength(1);

    await visitor.page.close();
    await eventually(() => expect(streams).toHaveLength(2));
    await showsWithin(LIVE, others);
    expect(streams).toHaveLength(2);
    expect(visitor.problems).toEqual([]);
  });

  it('show without a stream, too, which says so until it is back', async () => {
    const visitor = await visitorOf(chromium, shop.tenant.owner);
    const { page } = visitor;
    await visitor.visit(address());
    await isLive(page);
    // A proxy that cuts, and one that holds back what it has not got to the end.
    let isHeld = false;
    await page.context().route('**/changes', (route) => (isHeld ? undefined : route.abort()));
    await page.reload();
    await page.getByText('not live, retrying').waitFor();
    await showsWithin(CUT, [page]);
    isHeld = true;
    await page.reload();
    await page.getByText('not live, retrying').waitFor();
    await showsWithin(CUT, [page]);
    await page.context().unroute('**/changes');
    await page.getByText('not live').waitFor({ state: 'detached' });
    await showsWithin(LIVE, [page]);
    const ownLines = visitor.problems.filter((problem) => !problem.includes('net::ERR_FAILED'));
    expect(ownLines).toEqual([]);
  });

  it('say that an app was deleted, on its open screens', async () => {
    const doomed = await createShop();
    const visitor = await visitorOf(chromium, doomed.tenant.owner);
    const { page } = visitor;
    await visitor.visit(`/apps/${doomed.app.id}/channels/${doomed.production}`);
    await doomed.app.api.delete(doomed.app.path);
    await page.getByText('There is no channel here').waitFor();
    await page.getByRole('link', { name: 'Go to your apps' }).click();
    await page.getByRole('heading', { name: 'Your first live update' }).waitFor();
    expect(await page.getByRole('link', { name: 'Shop' }).count()).toBe(0);
    expect(visitor.problems).toEqual([]);
  });

  it('take away what a role may no longer do, and what one may no longer see', async () => {
    const member = await createMember(shop.tenant, 'member');
    await givePassword(member);
    const visitor = await visitorOf(chromium, member);
    const { page } = visitor;
    await visitor.visit(address());
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    const membership = `/v1/organizations/${shop.tenant.organizationId}/members/${member.memberId}`;
    expect((await shop.app.api.patch(membership, { role: 'viewer' })).status).toBe(200);
    await page.getByRole('button', { name: 'Pause' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: /^(Publish|Roll back|Raise|Deploy)/ }).count()).toBe(0);
    await page.getByRole('heading', { name: 'production' }).waitFor();

    expect((await shop.app.api.delete(membership)).status).toBe(204);
    await page.getByText('There is no channel here').waitFor();
    await page.getByRole('link', { name: 'Go to your apps' }).click();
    await page.getByText('You are not a member of an organization').waitFor();
    expect(visitor.problems).toEqual([]);
  });
});
