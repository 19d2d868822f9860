import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PASSWORD } from '../../test/builders/person.js';
import { testEnvironment } from '../../test/setup/test-environment.js';
import { Chromium, hasChromium } from '../../test/support/http/chromium.js';
import { createShop, release } from './shop.js';
import { visitorOf } from './visitor.js';

const describeInChromium = hasChromium ? describe : describe.skip;

/** A name as a company gives it: over plain http, it is no secure context. */
const HOST = 'shop.example.test';

describeInChromium('over plain http, at a name of a company', () => {
  let chromium: Chromium;
  let folder: string;

  beforeAll(async () => {
    chromium = await Chromium.start([`--host-resolver-rules=MAP ${HOST} 127.0.0.1`]);
    folder = join(mkdtempSync(join(tmpdir(), 'slipway-console-')), 'dist');
    mkdirSync(folder);
    writeFileSync(join(folder, 'index.html'), '<!doctype html><h1>Hello</h1>');
  });
  afterAll(async () => {
    await chromium.stop();
    rmSync(join(folder, '..'), { recursive: true });
  });

  it('one signs in, publishes a folder, copies a command, and sees what others do', async () => {
    const shop = await createShop();
    const origin = `http://${HOST}:${new URL(testEnvironment().origin).port}`;
    const visitor = await visitorOf(chromium, null, { origin });
    const { page } = visitor;
    await visitor.visit(`/apps/${shop.app.id}/publish?channel=${shop.beta}`);
    await page.getByLabel('E-mail address').fill(shop.tenant.owner.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Publish to beta' }).waitFor();
    expect(await page.evaluate('window.isSecureContext')).toBe(false);

    await page.getByLabel('Folder').setInputFiles(folder);
    await page.getByText(/1 file.* as zip/).waitFor();
    await page.getByLabel('Name').fill('1.0.0');
    await page.getByRole('button', { name: 'Publish 1.0.0' }).click();
    await page.getByText('Published to beta.').waitFor();
    await page.getByRole('link', { name: 'beta', exact: true }).click();
    await page.getByLabel('Present release 1.0.0').waitFor();

    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'As command' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Copy' }).first().click();
    // There is no clipboard: the text stands in a field, selected.
    const field = dialog.getByRole('textbox', { name: 'Copy' });
    expect(await field.inputValue()).toContain('npx @capawesome/cli apps:deployments:list');
    expect(await page.evaluate('getSelection().toString()')).toBe(await field.inputValue());
    await page.keyboard.press('Escape');

    await page.getByText('not live').waitFor({ state: 'detached' });
    await release(shop.app, '1.1.0', 'From elsewhere', 1, { channelName: 'beta' });
    await page.getByLabel('Present release 1.1.0').waitFor();
    expect(visitor.problems).toEqual([]);
  });
});
