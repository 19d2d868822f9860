import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { checkForUpdate } from '../../test/builders/device.js';
import { oneOf } from '../../test/setup/depth.js';
import { eventually } from '../../test/support/eventually.js';
import { Chromium, hasChromium } from '../../test/support/http/chromium.js';
import { type Hands, keyboardOf, mouseOf } from './hands.js';
import { createShop, DEVICES, type Shop } from './shop.js';
import { visitorOf } from './visitor.js';

const describeInChromium = hasChromium ? describe : describe.skip;
/** Devices among which some are in a tenth, and some are not. */
const MANY = 200;

interface Deployment {
  readonly id: string;
  readonly appBuildId: string;
  readonly rolloutPercentage: number;
  readonly comment: string | null;
  readonly notes: string | null;
  readonly rolloutPlan: {
    readonly state: string;
    readonly reason: string | null;
    readonly comment: string | null;
    readonly stepIndex: number | null;
    readonly steps: readonly object[];
    readonly healthGate: object | null;
  } | null;
}

/** What the API and devices get to see of a shop. */
class Witness {
  constructor(private readonly shop: Shop) {}

  /** The newest release of the channel. */
  async newest(): Promise<Deployment> {
    return (await this.releases())[0]!;
  }

  async releases(): Promise<Deployment[]> {
    const { app, production } = this.shop;
    const query = `appChannelId=${production}&relations=rolloutPlan`;
    return (await app.api.get(`${app.path}/deployments?${query}`)).body as Deployment[];
  }

  async bundleOf({ appBuildId }: Deployment): Promise<string> {
    const { app } = this.shop;
    const { body } = await app.api.get(`${app.path}/bundles?appBuildId=${appBuildId}`);
    return (body as { id: string }[])[0]!.id;
  }

  /** The bundle that a device gets; `undefined`: none. */
  async gets(device: string): Promise<string | undefined> {
    const check = await checkForUpdate(this.shop.app, { deviceId: device, channelName: 'production' });
    return (check.body as { bundleId?: string }).bundleId;
  }

  /** A device that gets a bundle, and one that does not. */
  async oneOfEach(bundle: string): Promise<{ first: string; other: string }> {
    const found: { first?: string; other?: string } = {};
    for (let n = 0; n < MANY && !(found.first && found.other); n += 1) {
      const device = `device-${n}`;
      if ((await this.gets(device)) === bundle) found.first ??= device;
      else found.other ??= device;
    }
    return found as { first: string; other: string };
  }
}

describeInChromium('a release from its publication to the way back', () => {
  let chromium: Chromium;
  let folder: string;

  beforeAll(async () => {
    chromium = await Chromium.start();
    folder = mkdtempSync(join(tmpdir(), 'slipway-console-'));
  });
  afterAll(async () => {
    await chromium.stop();
    rmSync(folder, { recursive: true });
  });

  /** Opens the form, and fills it in up to the question who gets it. The dialog of the system is the only thing not played. */
  async function fillIn(page: Page, hands: Hands, name: string): Promise<void> {
    await hands.press(page.getByRole('button', { name: 'Publish', exact: true }));
    await page.getByRole('heading', { name: 'Publish to production' }).waitFor();
    writeFileSync(join(folder, 'index.html'), `<!doctype html><h1>${name}</h1>`);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      hands.press(page.getByRole('button', { name: 'Choose a folder' })),
    ]);
    await chooser.setFiles(folder);
    await page.getByText(/1 file, .* as zip/).waitFor();
    await hands.write(page.getByLabel('Name'), name);
    await hands.write(page.getByLabel('Notes'), `What is new in ${name}`);
  }

  it.each(
    oneOf([
      ['the mouse', mouseOf],
      ['the keyboard', keyboardOf],
    ] as const),
  )('needs nothing but %s', async (_, handsOf) => {
    const shop = await createShop(DEVICES);
    const witness = new Witness(shop);
    const visitor = await visitorOf(chromium, shop.tenant.owner);
    const { page } = visitor;
    const hands = handsOf(page);
    const button = (name: string | RegExp, within: Page | Locator = page): Locator =>
      within.getByRole('button', { name, exact: true });
    const dialog = page.getByRole('dialog');
    const confirm = async (name: string): Promise<void> => {
      await hands.press(button(name, dialog));
      await dialog.waitFor({ state: 'detached' });
      // Nothing is lost after a dialog: the next key goes on from where the person was.
      await eventually(async () =>
        expect(await page.evaluate('document.activeElement !== document.body')).toBe(true),
      );
    };
    /** From the page of a release that was just published. */
    const toTheChannel = async (): Promise<void> => {
      await page.getByText('Published to production.').waitFor();
      await hands.press(page.getByRole('link', { name: 'production', exact: true }));
    };
    await visitor.visit(`/apps/${shop.app.id}/channels/${shop.production}`);

    await fillIn(page, hands, '2.5.0');
    await hands.press(button('A share'));
    await hands.press(button('10 %'));
    await page.getByText(`10 % of ${DEVICES} devices`).waitFor();
    await page.getByText('about 4').waitFor();
    await hands.press(button('Publish 2.5.0'));
    await toTheChannel();
    await page.getByLabel('Present release 2.5.0').waitFor();
    let newest = await witness.newest();
    expect(newest).toMatchObject({
      rolloutPercentage: 0.1,
      notes: 'What is new in 2.5.0',
      rolloutPlan: null,
    });
    const first = newest;
    const firstBundle = await witness.bundleOf(first);
    const devices = await witness.oneOfEach(firstBundle);

    await hands.press(button('Raise'));
    await hands.press(button('50 %', dialog));
    await dialog.getByText('more devices get it').waitFor();
    await hands.write(dialog.getByLabel('Comment'), 'No complaints');
    await confirm('Raise to 50 %');
    expect(await witness.newest()).toMatchObject({
      id: first.id,
      rolloutPercentage: 0.5,
      comment: 'No complaints',
    });
    await hands.press(button('Raise'));
    await hands.press(button('100 %', dialog));
    await confirm('Raise to 100 %');
    expect(await witness.newest()).toMatchObject({ id: first.id, rolloutPercentage: 1 });
    await expect(witness.gets(devices.other)).resolves.toBe(firstBundle);

    await fillIn(page, hands, '2.6.0');
    await hands.press(button(/^By a plan/));
    await hands.write(page.getByLabel('Share of step 2 in percent'), '40');
    await hands.press(button('Remove step 3'));
    await hands.write(page.getByLabel('Devices that may go back in percent'), '3');
    await page
      .getByText(
        'Goes on to 40 % after 1 h, unless more than 3 % of at least 100 devices go back: then it is held.',
      )
      .waitFor();
    await page.getByText(/about \d/).waitFor();
    await hands.press(button('Publish 2.6.0'));
    await toTheChannel();
    await page.getByLabel('Present release 2.6.0').waitFor();
    newest = await witness.newest();
    expect(newest).toMatchObject({
      rolloutPercentage: 0.1,
      rolloutPlan: {
        state: 'running',
        stepIndex: 0,
        steps: [
          { percentage: 0.1, durationMinutes: 60 },
          { percentage: 0.4, durationMinutes: null },
        ],
        healthGate: { maxFailureShare: 0.03, minDevices: 100, confidence: 0.95 },
      },
    });
    const bundle = await witness.bundleOf(newest);
    const { first: early } = await witness.oneOfEach(bundle);

    const planIs = async (state: string, comment: string | null = null): Promise<void> =>
      expect((await witness.newest()).rolloutPlan).toMatchObject({ state, comment, stepIndex: 0 });
    await hands.press(button('Hold the plan'));
    await confirm('Hold the plan');
    await planIs('held');
    await hands.press(button('Resume the plan'));
    await confirm('Resume the plan');
    await planIs('running');
    await hands.press(button('Hold the plan'));
    await hands.write(dialog.getByLabel('Comment'), 'Ben looks at it');
    await confirm('Hold the plan');
    await planIs('held', 'Ben looks at it');
    await expect(witness.gets(early)).resolves.toBe(bundle);

    await hands.press(button('Roll back 2.6.0'));
    await hands.write(dialog.getByLabel('Comment'), 'The cart is empty');
    await confirm('Roll back to 2.5.0');
    await page.getByText('You rolled back 2.6.0').waitFor();
    await page.getByText('The cart is empty').first().waitFor();
    const [back, held] = await witness.releases();
    expect(back).toMatchObject({
      appBuildId: first.appBuildId,
      rolloutPercentage: 1,
      comment: 'The cart is empty',
    });
    expect(held).toMatchObject({ id: newest.id, rolloutPlan: { state: 'aborted', reason: 'superseded' } });
    await expect(witness.gets(early)).resolves.toBe(firstBundle);

    await hands.press(button('Deploy it again'));
    await dialog.getByText('devices get 2.6.0').waitFor();
    await confirm('Deploy 2.6.0');
    await page.getByLabel('Present release 2.6.0').waitFor();
    expect(await witness.newest()).toMatchObject({ appBuildId: newest.appBuildId, rolloutPercentage: 1 });
    await expect(witness.gets(devices.other)).resolves.toBe(bundle);
    expect(visitor.problems).toEqual([]);
  });
});
