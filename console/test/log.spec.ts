import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { createApp, type TestApp } from '../../test/builders/app.js';
import { createTenant } from '../../test/builders/identities.js';
import { givePassword } from '../../test/builders/person.js';
import { createRunner } from '../../test/builders/runner.js';
import { query } from '../../test/setup/databases.js';
import { depth } from '../../test/setup/depth.js';
import { testEnvironment } from '../../test/setup/test-environment.js';
import { eventually } from '../../test/support/eventually.js';
import { Chromium, hasChromium } from '../../test/support/http/chromium.js';
import type { TestJobLog } from '../../test/support/jobs/leases.js';
import { moved } from '../../test/support/jobs/log-lines.js';
import { runBuild } from './made-build.js';
import { type Visitor, visitorOf } from './visitor.js';

const describeInChromium = hasChromium ? describe : describe.skip;
const { databaseUrl } = testEnvironment();

/** Elements that the log may have, however long it is. */
const MAX_NODES = 400;
/** Lines of the longest log that is kept by default. */
const MANY_LINES = 500_000;

/** Pixels of a line. */
const LINE = 18;

const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, n) => `line ${from + n}\n`).join('');

describeInChromium('the log of a build', () => {
  let chromium: Chromium;
  let visitor: Visitor;
  let page: Page;
  let app: TestApp;

  beforeAll(async () => {
    chromium = await Chromium.start();
    const tenant = await createTenant();
    await givePassword(tenant.owner);
    app = await createApp(tenant, { name: 'Shop' });
    await app.api.patch(`${app.path}/channels/${app.defaultChannelId}`, { name: 'production' });
    await createRunner(tenant);
    visitor = await visitorOf(chromium, tenant.owner);
    ({ page } = visitor);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  afterAll(() => chromium.stop());

  const visit = (id: string, hash = ''): Promise<void> =>
    visitor.visit(`/apps/${app.id}/builds/${id}${hash}`);
  const log = () => page.getByRole('region', { name: 'Log' });
  const row = (line: number) => log().locator(`[data-line="${line}"]`);
  const nodes = (): Promise<number> => page.evaluate<number>(`document.querySelectorAll('.log *').length`);
  /** Pixels between what is seen and the end of the log. */
  const distance = (): Promise<number> =>
    log().evaluate((box) => Math.round(box.scrollHeight - box.scrollTop - box.clientHeight));
  const atEnd = (): Promise<void> => eventually(async () => expect(await distance()).toBeLessThan(2));
  const hasCopied = (text: string): Promise<void> =>
    eventually(async () => expect(await page.evaluate('navigator.clipboard.readText()')).toBe(text));
  const rawLog = async (jobId: string): Promise<string[]> =>
    ((await app.api.get(`/v1/jobs/${jobId}/logs`)).body as TestJobLog[]).flatMap(({ payload }) =>
      payload.split('\n'),
    );

  /** All lines with their numbers, as one sees them who scrolls from the beginning to the end. */
  async function readAll(): Promise<[number, string][]> {
    const found = new Map<number, string>();
    await log().evaluate((box) => void (box.scrollTop = 0));
    for (let isLast = false; !isLast;) {
      await eventually(async () => {
        const shown = await log()
          .locator('[data-line]')
          .evaluateAll((rows) =>
            rows.map((each) => [
              Number(each.getAttribute('data-line')),
              each.querySelector('.log-text')?.textContent ?? null,
            ]),
          );
        const [from, to] = await log().evaluate(({ scrollTop, clientHeight }) => [
          scrollTop,
          scrollTop + clientHeight,
        ]);
        const numbers = new Set(shown.map(([number]) => number));
        // A scroll shows its rows with the next frame.
        for (const place of [from!, to! - 1]) {
          const number = Math.floor(place / LINE) + 1;
          if (!numbers.has(number)) throw new Error(`Line ${number} is not there yet.`);
        }
        for (const [number, text] of shown as [number, string | null][]) {
          if (text === null) throw new Error(`Line ${number} is missing.`);
          found.set(number, text);
        }
      });
      isLast = await log().evaluate((box) => {
        const before = box.scrollTop;
        box.scrollTop += box.clientHeight;
        return box.scrollTop === before;
      });
    }
    return [...found].sort(([a], [b]) => a - b);
  }

  it('follows what comes until one scrolls up, and again with a button', async () => {
    const build = await runBuild(app);
    await build.print(numbered(1, 300));
    await visit(build.id);
    await row(300).waitFor();
    await build.print(numbered(301, 400));
    await row(400).waitFor();
    await atEnd();
    const follow = page.getByRole('button', { name: 'Follow' });
    expect(await follow.getAttribute('aria-pressed')).toBe('true');
    // At its end, the wheel goes on to the page.
    const wheel = await page.evaluate(
      `getComputedStyle(document.querySelector('.log-box')).overscrollBehaviorY`,
    );
    expect(wheel).toBe('auto');

    await log().hover();
    await page.mouse.wheel(0, -900);
    await eventually(async () => expect(await follow.getAttribute('aria-pressed')).toBe('false'));
    const before = await log().evaluate((box) => box.scrollTop);
    await build.print(numbered(401, 700));
    await page.getByText('700 lines, more come below').waitFor();
    expect(await log().evaluate((box) => box.scrollTop)).toBe(before);
    await follow.click();
    await row(700).waitFor();
    await atEnd();
    await build.print(numbered(701, 710));
    await row(710).waitFor();
    await build.end('succeeded');
    await page.getByText('710 lines', { exact: true }).waitFor();
    expect(visitor.problems).toEqual([]);
  });

  it('goes on from its last line after the network was away, and has each line once', async () => {
    const build = await runBuild(app);
    await build.print(numbered(1, 600));
    await visit(build.id);
    await row(600).waitFor();
    const context = page.context();
    await context.setOffline(true);
    const back = Date.now() + depth.secondsWithoutNetwork * 1000;
    let lines = 1200;
    await build.print(numbered(601, lines));
    await page.getByText('The connection is lost').waitFor();
    while (Date.now() < back) {
      await build.print(numbered(lines + 1, (lines += 25)));
      await sleep(500);
    }
    await context.setOffline(false);
    await row(lines).waitFor();
    await build.print(numbered(lines + 1, (lines += 100)));
    await build.end('succeeded');
    await row(lines).waitFor();
    const raw = await rawLog(build.jobId);
    expect(raw).toHaveLength(lines);
    expect(await readAll()).toEqual(raw.map((text, index) => [index + 1, text]));
    // The browser has said that it was offline.
    await visitor.signIn(app.tenant.owner);
  });

  it('of 500,000 lines has few elements, and finds lines and texts everywhere', async () => {
    const build = await runBuild(app);
    await build.print(Array.from({ length: MANY_LINES }, (_, n) => `${n + 1}\n`).join(''));
    await build.end('succeeded');
    await visit(build.id);
    await row(MANY_LINES).waitFor();
    await page.getByText('500,000 lines').waitFor();
    expect(await nodes()).toBeLessThan(MAX_NODES);

    await page.getByLabel('Go to line').fill('250000');
    await page.keyboard.press('Enter');
    await row(250_000).filter({ hasText: '250000' }).locator('.log-text').waitFor();
    expect(new URL(page.url()).hash).toBe('#L250000');
    await log().evaluate((box) => void (box.scrollTop = box.scrollHeight / 3));
    await eventually(async () => expect(await log().getByText('…', { exact: true }).count()).toBe(0));
    expect(await nodes()).toBeLessThan(MAX_NODES);

    const search = page.getByLabel('Search the log');
    await search.fill('99999');
    await page.getByText('2 of 5').waitFor();
    await row(199_999).waitFor();
    await page.getByRole('button', { name: 'Next hit' }).click();
    await page.getByText('3 of 5').waitFor();
    await row(299_999).locator('mark').waitFor();
    await search.focus();
    for (const place of ['2 of 5', '1 of 5', '5 of 5']) {
      await page.keyboard.press('Shift+Enter');
      await page.getByText(place).waitFor();
    }
    await row(499_999).locator('mark').waitFor();
    await search.fill('nothing has this');
    await page.getByText('No hit').waitFor();
    expect(visitor.problems).toEqual([]);
  });

  it('has addresses for lines and ranges, copies them, and shows when they came', async () => {
    const build = await runBuild(app);
    await build.print(numbered(1, 400));
    await build.end('succeeded');
    await visit(build.id, '#L120');
    await row(120).waitFor();
    expect(await row(120).getAttribute('class')).toContain('chosen');
    await page.getByRole('button', { name: 'Copy line' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('line 120\n');
    const address = page.url();
    await page.getByRole('button', { name: 'Copy link', exact: true }).click();
    await hasCopied(address);
    await row(125).hover();
    await page.getByRole('button', { name: 'Copy link to line 125' }).click();
    await hasCopied(address.replace('#L120', '#L125'));
    await row(125).getByText('Copied').waitFor();
    expect(page.url()).toBe(address);
    await row(130)
      .getByRole('link')
      .click({ modifiers: ['Shift'] });
    expect(new URL(page.url()).hash).toBe('#L120-L130');
    await visit(build.id, '#L120-L130');
    await row(130).waitFor();
    expect(await log().locator('.chosen').count()).toBe(11);
    await page.getByRole('button', { name: 'Copy lines' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(numbered(120, 130));
    await page.getByRole('button', { name: 'Times' }).click();
    expect(await row(125).locator('time').textContent()).toMatch(/^\d\d:\d\d:\d\d$/);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download', exact: true }).last().click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toBe(numbered(1, 400));
    expect(visitor.problems).toEqual([]);
  });

  it('is read with the keyboard alone', async () => {
    const build = await runBuild(app);
    await build.print(numbered(1, 900));
    await visit(build.id);
    await row(900).waitFor();
    const reach = async (): Promise<void> => {
      for (let presses = 0; presses < 60; presses += 1) {
        if ((await log().and(page.locator(':focus')).count()) > 0) return;
        await page.keyboard.press('Tab');
      }
      throw new Error('The tab key does not reach the log.');
    };
    await reach();
    await page.keyboard.press('Home');
    await row(1).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('LINE 7');
    await page.getByText('1 of 111').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('2 of 111').waitFor();
    await row(70).waitFor();
    await reach();
    await page.keyboard.press('n');
    await page.getByText('3 of 111').waitFor();
    await page.keyboard.press('Shift+N');
    await page.getByText('2 of 111').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.type('500-502');
    await page.keyboard.press('Enter');
    await row(502).waitFor();
    expect(new URL(page.url()).hash).toBe('#L500-L502');
    await reach();
    await page.keyboard.press('l');
    await hasCopied(page.url());
    await page.keyboard.press('t');
    await row(500).locator('time').waitFor();
    await page.keyboard.press('f');
    await row(900).waitFor();
    await atEnd();
    await build.end('succeeded');
    expect(visitor.problems).toEqual([]);
  });

  it('shows what a build prints as text, and long lines within its frame', async () => {
    const build = await runBuild(app);
    const html = '<img src=x onerror=alert(1)><script>alert(2)</script>';
    await build.print(
      [
        html,
        'שלום \u001B[1;32mgreen\u001B[0m \u001B[38;5;9mbright\u001B[0m \u001B[48;2;1;2;3mground\u001B[0m',
        'a'.repeat(16_000),
        'nul\u0000',
        '',
      ].join('\n'),
    );
    await visit(build.id);
    await row(1).filter({ hasText: html }).waitFor();
    expect(await log().locator('img, script').count()).toBe(0);
    expect(await row(2).locator('.ansi-green.ansi-bold').textContent()).toBe('green');
    expect(await row(2).locator('.ansi-red').textContent()).toBe('bright');
    expect(await row(2).locator('.log-text').textContent()).toBe('שלום green bright ground');
    expect(await row(3).locator('.log-text').textContent()).toHaveLength(16_000);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0);

    // On a phone, each line has two rows, and the one that is tapped is shown as a whole.
    await page.setViewportSize({ width: 390, height: 844 });
    const heights = (): Promise<number[]> =>
      log()
        .locator('.log-row')
        .evaluateAll((rows) => rows.map((each) => each.getBoundingClientRect().height));
    await eventually(async () => expect(new Set(await heights())).toEqual(new Set([2 * LINE])));
    expect(await log().evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    await row(3).locator('.log-text').click();
    await page.locator('.log-opened').waitFor();
    expect(await page.locator('.log-opened').textContent()).toHaveLength(16_000);
    expect(new URL(page.url()).hash).toBe('#L3');
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await page.setViewportSize({ width: 1280, height: 844 });
    await build.end('succeeded');
    expect(visitor.problems).toEqual([]);
  });

  it('says so when retention has deleted it', async () => {
    const build = await runBuild(app);
    await build.print(numbered(1, 10));
    await build.end('succeeded');
    await moved(build.jobId);
    await query(databaseUrl, 'DELETE FROM job_logs WHERE id = $1', [build.jobId]);
    await query(
      databaseUrl,
      `UPDATE jobs SET (queued_at, pending_at, in_progress_at, finished_at) =
              (queued_at - d, pending_at - d, in_progress_at - d, finished_at - d)
         FROM make_interval(days => 400) AS d WHERE id = $1`,
      [build.jobId],
    );
    await visit(build.id);
    await page.getByText('The log was deleted: its retention period has ended.').waitFor();
    expect(visitor.problems).toEqual([]);
  });
});
