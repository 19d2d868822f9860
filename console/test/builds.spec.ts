import type { Page } from 'playwright-core';
import { createApp, type TestApp } from '../../test/builders/app.js';
import { createEnvironment } from '../../test/builders/environment.js';
import { createTenant } from '../../test/builders/identities.js';
import { givePassword } from '../../test/builders/person.js';
import { createRunner } from '../../test/builders/runner.js';
import { query } from '../../test/setup/databases.js';
import { oneOf } from '../../test/setup/depth.js';
import { testEnvironment } from '../../test/setup/test-environment.js';
import { GitServer } from '../../test/support/git/git-server.js';
import { WatchedApp } from '../../test/support/git/watched-app.js';
import { Chromium, hasChromium } from '../../test/support/http/chromium.js';
import { startBuild } from '../../test/support/native-builds/leases.js';
import { uploadSource } from '../../test/support/native-builds/sources.js';
import { keyboardOf, mouseOf } from './hands.js';
import { FAILED_LOG, runBuild } from './made-build.js';
import { release } from './shop.js';
import { type Visitor, visitorOf } from './visitor.js';

const describeInChromium = hasChromium ? describe : describe.skip;
const { databaseUrl } = testEnvironment();

interface Build {
  readonly id: string;
  readonly gitRef: string | null;
  readonly appEnvironmentId: string | null;
  readonly appBuildSourceId: string | null;
  readonly job: { readonly status: string };
}

describeInChromium('builds', () => {
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
  const newest = async (): Promise<Build> =>
    ((await app.api.get(`${app.path}/builds?relations=job&limit=1`)).body as Build[])[0]!;

  describe('of a repository', () => {
    let git: GitServer;
    let environment: { id: string; name: string };

    beforeAll(async () => {
      git = await GitServer.start();
      await WatchedApp.create(git, app);
      environment = await createEnvironment(app, { name: 'staging' });
    });
    afterAll(() => git.stop());

    it.each(
      // The other one than in `stories.spec.ts`.
      oneOf(
        [
          ['the mouse', mouseOf],
          ['the keyboard', keyboardOf],
        ] as const,
        1,
      ),
    )('are started, canceled and run again with %s', async (_, handsOf) => {
      const hands = handsOf(page);
      await visitor.visit(`/apps/${app.id}/builds`);
      await hands.press(page.getByRole('button', { name: 'Start a build' }));
      const dialog = page.getByRole('dialog');
      await hands.write(dialog.getByLabel('Branch, tag or commit'), 'main');
      await dialog.getByRole('option', { name: 'staging' }).waitFor({ state: 'attached' });
      await dialog.getByLabel('Environment').selectOption('staging');
      await hands.press(dialog.getByRole('button', { name: 'Start build' }));
      await page.getByRole('heading', { level: 1, name: 'Queued' }).waitFor();
      const started = await newest();
      expect(started).toMatchObject({ gitRef: 'main', appEnvironmentId: environment.id });
      await page.getByText('It waits for a runner').waitFor();

      await hands.press(page.getByRole('button', { name: 'Cancel build', exact: true }));
      await hands.press(dialog.getByRole('button', { name: 'Cancel build' }));
      await page.getByRole('heading', { level: 1, name: 'Canceled' }).waitFor();
      expect((await newest()).job.status).toBe('canceled');

      await hands.press(page.getByRole('button', { name: 'Run again' }));
      await hands.press(dialog.getByRole('button', { name: 'Start build' }));
      await page.getByRole('heading', { level: 1, name: 'Queued' }).waitFor();
      const again = await newest();
      expect(again.id).not.toBe(started.id);
      expect(again).toMatchObject({ gitRef: 'main', appEnvironmentId: environment.id });

      // The next one begins with what this one had.
      await visitor.visit(`/apps/${app.id}/builds`);
      await hands.press(page.getByRole('button', { name: 'Start a build' }));
      await dialog.getByRole('option', { name: 'staging' }).waitFor({ state: 'attached' });
      expect(await dialog.getByLabel('Environment').inputValue()).toBe(environment.id);
      expect(await dialog.getByLabel('Branch, tag or commit').inputValue()).toBe('main');
      await page.keyboard.press('Escape');
      await app.api.patch(`/v1/jobs/${((await newest()) as unknown as { jobId: string }).jobId}`, {
        status: 'canceled',
      });
      expect(visitor.problems).toEqual([]);
    });
  });

  it('show how they end while one looks, go to a channel, and are shared', async () => {
    const build = await runBuild(app);
    await build.print('§ Building: npm run build\nbuilt\n§ Building took 2.0 s\n');
    await visit(build.id);
    await page.getByRole('heading', { level: 1, name: 'Building' }).waitFor();
    await build.end('succeeded');
    await page.getByRole('heading', { level: 1, name: 'Succeeded' }).waitFor();
    await page.getByText('It was not deployed yet').waitFor();

    await page.getByRole('button', { name: 'Deploy to…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Channel').selectOption('production');
    await dialog.getByText('devices get Build').waitFor();
    await dialog.getByRole('button', { name: 'Deploy to production' }).click();
    await page.getByRole('link', { name: /^production/ }).waitFor();
    await release(app, '9.0.0', 'Newer');
    await page.getByRole('link', { name: /^production.*Superseded/ }).waitFor();

    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await dialog.getByLabel('Description').fill('For <b>testers</b>');
    await dialog.getByRole('button', { name: 'Share build' }).click();
    await page.getByText('For <b>testers</b>').waitFor();
    const address = await page.getByRole('link', { name: /app-build-shares/ }).getAttribute('href');
    await page.getByRole('img', { name: `QR code of ${address}` }).waitFor();
    expect((await fetch(address!)).status).toBe(200);
    await page.getByRole('button', { name: 'End the share' }).click();
    await dialog.getByRole('button', { name: 'End the share' }).click();
    await page.getByText('For <b>testers</b>').waitFor({ state: 'detached' });

    await visitor.visit(`/apps/${app.id}/builds?status=succeeded`);
    await page
      .getByRole('row', { name: /Succeeded.*production/ })
      .first()
      .waitFor();
    await page.getByLabel('Status').selectOption('Failed');
    await page.getByText('No builds match').waitFor();
    expect(new URL(page.url()).search).toBe('?status=failed');

    await query(databaseUrl, 'DELETE FROM build_artifacts WHERE build_id = $1', [build.id]);
    await visit(build.id);
    const deploy = page.getByRole('button', { name: 'Deploy to…' });
    expect(await deploy.getAttribute('title')).toBe(
      'Its files were deleted: the retention period has ended.',
    );
    await deploy.click({ force: true });
    expect(await dialog.count()).toBe(0);
    expect(visitor.problems).toEqual([]);
  });

  it('that never start say why', async () => {
    const own = await createApp(app.tenant, { name: 'Courier', runnerLabels: ['mac'] });
    const { id, jobId } = await startBuild(own, { appBuildSourceId: await uploadSource(own) });
    await visitor.visit(`/apps/${own.id}/builds/${id}`);
    await page.getByRole('status').filter({ hasText: 'No runner for web has the label mac.' }).waitFor();
    await page.getByText('No line yet. No runner for web has the label mac.').waitFor();
    const advice = 'An admin adds the label to a runner, or takes it out of the app';
    await page.getByRole('status').filter({ hasText: advice }).waitFor();
    // Some minutes later, and as if it had been built from a repository that the app had then.
    await query(
      databaseUrl,
      `UPDATE jobs SET status = 'rejected', status_message = 'No runner for web has the label mac.', finished_at = now()
        WHERE id = $1`,
      [jobId],
    );
    await query(databaseUrl, `UPDATE builds SET build_source_id = NULL, git_ref = 'main' WHERE id = $1`, [
      id,
    ]);
    await page.reload();
    await page.getByRole('alert').filter({ hasText: advice }).waitFor();
    await page.locator('.page-actions .button:not(.main)', { hasText: 'Run again' }).waitFor();

    // One of a branch could not even be asked for: the form says so, and how to mend it.
    await visitor.visit(`/apps/${own.id}/builds`);
    await page.getByRole('button', { name: 'Start a build' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('No repository is linked').waitFor();
    await dialog.getByText(`npx @capawesome/cli apps:link --app-id ${own.id}`).waitFor();
    const start = dialog.getByRole('button', { name: 'Start build' });
    expect(await start.getAttribute('aria-disabled')).toBe('true');
    expect(visitor.problems).toEqual([]);
  });

  it('that failed say why above the log, and lead to its line', async () => {
    const build = await runBuild(app);
    await build.print(FAILED_LOG);
    await build.end('failed', { step: 'build' });
    await visit(build.id);
    await page.getByRole('alert').filter({ hasText: 'dayjs' }).waitFor();
    // What succeeded is folded.
    const step = log().getByRole('button', { name: /^Installing dependencies/ });
    expect(await step.getAttribute('aria-expanded')).toBe('false');
    await page.getByRole('alert').getByRole('link', { name: 'Line 66' }).click();
    expect(new URL(page.url()).hash).toBe('#L66');
    await row(66).filter({ hasText: 'Rollup failed to resolve import' }).waitFor();
    expect(await row(66).getAttribute('class')).toContain('chosen');
    expect(await log().locator('.ansi-red').allTextContents()).toEqual(['error during build:']);

    await page.getByRole('button', { name: 'Copy the step Installing dependencies' }).click();
    await page
      .getByRole('button', { name: 'Copy the step Installing dependencies' })
      .filter({ hasText: 'Copied' })
      .waitFor();
    const lines = FAILED_LOG.split('\n').slice(0, 62);
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${lines.join('\n')}\n`);
    await step.click();
    await row(30).waitFor();
    expect(visitor.problems).toEqual([]);
  });
});
