import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Page, Route } from 'playwright-core';
import { builtDatabase } from '../test/setup/built.ts';
import { startServer } from '../test/setup/server.ts';
import { Chromium } from '../test/support/http/chromium.ts';
import { type Acme, seedAcme, type SeededPerson } from './seed/acme.ts';

/*
 * `npm run console:pictures`: pictures of every screen of the console in every state, at two widths, light and dark, to
 * `console/pictures`, with `index.html` that shows them side by side. Words name screens, states, widths or schemes:
 * `npm run console:pictures -- channel release failed`. `--docs` also renews the pictures of docs/console.md.
 */
const { values: options, positionals: words } = parseArgs({
  options: { docs: { type: 'boolean', default: false } },
  allowPositionals: true,
});

const root = join(import.meta.dirname, '..');
const FOLDER = join(root, 'console/pictures');
const WIDTHS = [1280, 390] as const;
const SCHEMES = ['light', 'dark'] as const;
/** How long a page is looked at before its picture is taken, in milliseconds: charts and skeletons have appeared by then. */
const PAUSE = 700;
const PATIENCE = 30_000;
/** Longer than the repetitions of a request take. */
const RETRIES = 15_000;

/** A screen: its address, and what is opened on it. */
interface Screen {
  readonly path: (acme: Acme) => string;
  /** Its address where there is nothing to show yet. */
  readonly empty?: (acme: Acme) => string;
  /** Dialogs and menus are only taken full. */
  readonly open?: (page: Page) => Promise<void>;
  /** The name of its picture in docs, and how it is taken there. */
  readonly docs?: readonly [name: string, width: (typeof WIDTHS)[number], scheme: (typeof SCHEMES)[number]];
}

const button = (name: string) => async (page: Page) => page.getByRole('button', { name }).first().click();

const screens: Readonly<Record<string, Screen>> = {
  apps: { path: () => '/', empty: () => '/', docs: ['console-inbox', 1280, 'light'] },
  overview: {
    path: ({ app }) => `/apps/${app}`,
    empty: ({ empty }) => `/apps/${empty.app}`,
    docs: ['console-overview', 1280, 'light'],
  },
  channels: {
    path: ({ app }) => `/apps/${app}/channels`,
    empty: ({ empty }) => `/apps/${empty.app}/channels`,
  },
  channel: {
    path: ({ app, production }) => `/apps/${app}/channels/${production}`,
    empty: ({ empty }) => `/apps/${empty.app}/channels/${empty.channel}`,
    docs: ['console', 1280, 'light'],
  },
  release: {
    path: ({ app, rolling }) => `/apps/${app}/deployments/${rolling}`,
    empty: ({ empty }) => `/apps/${empty.app}/deployments/${empty.release}`,
  },
  devices: {
    path: ({ app }) => `/apps/${app}/devices`,
    empty: ({ empty }) => `/apps/${empty.app}/devices`,
  },
  device: {
    path: ({ app, devices }) => `/apps/${app}/devices?id=${devices.outside}`,
    docs: ['console-device', 1280, 'light'],
  },
  'device-too-old': { path: ({ app, devices }) => `/apps/${app}/devices?id=${devices.tooOld}` },
  'device-forced': { path: ({ app, devices }) => `/apps/${app}/devices?id=${devices.forced}` },
  'device-unknown': { path: ({ app }) => `/apps/${app}/devices?id=${'x'.repeat(255)}` },
  'device-steps': {
    path: ({ app, devices }) => `/apps/${app}/devices?id=${devices.outside}`,
    open: async (page) => page.getByText('How it was decided').click(),
  },
  'device-raise': {
    path: ({ app, devices }) => `/apps/${app}/devices?id=${devices.outside}`,
    open: async (page) => {
      await page.locator('.remedy-row').getByRole('button', { name: 'Raise' }).click();
      await page.getByRole('dialog').getByText('more devices get it').waitFor();
    },
  },
  'device-guide': {
    path: ({ app, devices }) => `/apps/${app}/devices?id=${devices.tooOld}`,
    open: button('What to do'),
  },
  'device-force': {
    path: ({ app, devices }) => `/apps/${app}/devices?id=${devices.outside}`,
    open: button('Force to a channel'),
  },
  governed: { path: ({ governed: { app, channel } }) => `/apps/${app}/channels/${channel}` },
  waiting: { path: ({ governed: { app, waiting } }) => `/apps/${app}/deployments/${waiting}` },
  held: { path: ({ held: { app, release } }) => `/apps/${app}/deployments/${release}` },
  approve: {
    path: ({ governed: { app, waiting } }) => `/apps/${app}/deployments/${waiting}`,
    open: button('Approve'),
  },
  freeze: {
    path: ({ governed: { app, channel } }) => `/apps/${app}/channels/${channel}`,
    open: button('Add a freeze'),
  },
  publish: {
    path: ({ app, production }) => `/apps/${app}/publish?channel=${production}`,
    empty: ({ empty }) => `/apps/${empty.app}/publish?channel=${empty.channel}`,
  },
  later: { path: ({ app }) => `/apps/${app}/destinations` },
  builds: {
    path: ({ app }) => `/apps/${app}/builds`,
    empty: ({ empty }) => `/apps/${empty.app}/builds?status=failed`,
  },
  build: {
    path: ({ app, builds }) => `/apps/${app}/builds/${builds.failed}`,
    docs: ['console-build', 1280, 'light'],
  },
  'build-succeeded': { path: ({ app, builds }) => `/apps/${app}/builds/${builds.succeeded}` },
  'build-running': { path: ({ app, builds }) => `/apps/${app}/builds/${builds.running}` },
  'build-waiting': { path: ({ app, builds }) => `/apps/${app}/builds/${builds.waiting}` },
  'build-search': {
    path: ({ app, builds }) => `/apps/${app}/builds/${builds.failed}#L118-L120`,
    open: async (page) => {
      await page.getByLabel('Search the log').fill('formatPrice');
      await page.getByText(/^\d of \d$/).waitFor();
    },
  },
  'build-start': { path: ({ app }) => `/apps/${app}/builds`, open: button('Start a build') },
  'build-deploy': {
    path: ({ app, builds }) => `/apps/${app}/builds/${builds.succeeded}`,
    open: async (page) => {
      await button('Deploy to…')(page);
      await page.getByLabel('Channel').selectOption('production');
      await page.getByText('devices get Build').waitFor();
    },
  },
  raise: {
    path: ({ app, production }) => `/apps/${app}/channels/${production}`,
    open: async (page) => {
      await button('Raise')(page);
      await page.getByRole('dialog').getByText('more devices get it').waitFor();
    },
    docs: ['console-raise', 1280, 'light'],
  },
  'roll-back': {
    path: ({ app, production }) => `/apps/${app}/channels/${production}`,
    open: button('Roll back'),
  },
  hold: { path: ({ app, production }) => `/apps/${app}/channels/${production}`, open: button('Hold') },
  pause: { path: ({ app, production }) => `/apps/${app}/channels/${production}`, open: button('Pause') },
  blockers: {
    path: ({ app, rolling }) => `/apps/${app}/deployments/${rolling}`,
    open: async (page) => {
      await button('Count the devices')(page);
      await page.getByText('Outside of the share').waitFor();
    },
    docs: ['console-release', 1280, 'dark'],
  },
  'publish-files': {
    path: ({ app, production }) => `/apps/${app}/publish?channel=${production}`,
    open: async (page) => {
      await page.locator('input[type=file]').first().setInputFiles(join(FOLDER, 'www'));
      await page.getByText('as zip').first().waitFor();
    },
    docs: ['console-publish', 1280, 'light'],
  },
  jump: {
    path: ({ app }) => `/apps/${app}`,
    open: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByLabel('Search').fill('p');
    },
  },
  'jump-outside': {
    path: () => '/',
    open: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByLabel('Search').fill('customer-48213');
    },
  },
  'build-unlinked': {
    path: ({ governed: { app } }) => `/apps/${app}/builds`,
    open: async (page) => {
      await button('Start a build')(page);
      await page.getByText('No repository is linked').waitFor();
    },
  },
};

/** What happens to the requests of a screen, and who looks. */
interface State {
  readonly person: keyof Acme['people'];
  readonly answer?: (route: Route) => Promise<void>;
}

const refuse = (status: number, code: string, message: string) => (route: Route) =>
  route.fulfill({
    status,
    json: { status, code, message, requestId: '0193f0c2-7d5e-7aa1-8f1e-2b8f3f0d9c11' },
  });

const states: Readonly<Record<string, State>> = {
  full: { person: 'mia' },
  loading: { person: 'mia', answer: () => new Promise(() => undefined) },
  empty: { person: 'mia' },
  failed: { person: 'mia', answer: refuse(500, 'internal_error', 'Internal server error.') },
  unavailable: {
    person: 'mia',
    answer: refuse(503, 'database_unavailable', 'The database is not available.'),
  },
  unreachable: { person: 'mia', answer: (route) => route.abort() },
  refused: { person: 'mia', answer: refuse(403, 'forbidden', 'Your role does not allow this.') },
  viewer: { person: 'viewer' },
  billing: { person: 'billing' },
};

/** Of the shell, which every screen needs; and the stream of changes. */
const LEFT_ALONE = /\/v1\/users\/me\/access|\/changes$/;

function isWanted(screen: string, state: string, width: number, scheme: string): boolean {
  const { empty, open } = screens[screen]!;
  if ((open !== undefined && state !== 'full') || (state === 'empty' && empty === undefined)) return false;
  const kinds: readonly (readonly string[])[] = [
    Object.keys(screens),
    Object.keys(states),
    WIDTHS.map(String),
    SCHEMES,
  ];
  return [screen, state, String(width), scheme].every((value, index) => {
    const named = words.filter((word) => kinds[index]!.includes(word));
    return named.length === 0 || named.includes(value);
  });
}

async function signIn(page: Page, origin: string, { email, password }: SeededPerson): Promise<void> {
  await page.goto(`${origin}/login`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
}

async function takeAll(chromium: Chromium, origin: string, acme: Acme): Promise<void> {
  const taken: { screen: string; state: string; width: number; scheme: string; file: string }[] = [];
  for (const width of WIDTHS) {
    for (const scheme of SCHEMES) {
      const window = {
        viewport: { width, height: width === 390 ? 844 : 800 },
        colorScheme: scheme,
        hasTouch: width === 390,
        locale: 'en-GB',
      };
      const pages = new Map<keyof Acme['people'], Page>();
      for (const [screen, { path, empty, open, docs }] of Object.entries(screens)) {
        for (const [state, { person, answer }] of Object.entries(states)) {
          if (!isWanted(screen, state, width, scheme)) continue;
          const who = screen === 'apps' && state === 'empty' ? 'newcomer' : person;
          let page = pages.get(who);
          if (page === undefined) {
            page = await chromium.open(window);
            page.setDefaultTimeout(PATIENCE);
            await signIn(page, origin, acme.people[who]);
            pages.set(who, page);
          }
          if (answer !== undefined) {
            await page.route(/\/v1\//, (route) =>
              LEFT_ALONE.test(route.request().url()) ? route.continue() : answer(route),
            );
          }
          const file = `${screen}-${state}-${width}-${scheme}.png`;
          try {
            await page.goto(origin + (state === 'empty' ? empty! : path)(acme));
            await page.locator('main').waitFor();
            if (answer === undefined) await page.locator('main h1, main .empty').first().waitFor();
            if (answer === undefined) await page.locator('main .late').first().waitFor({ state: 'detached' });
            // Requests that may pass are repeated before they have failed.
            if (state === 'unavailable' || state === 'unreachable') {
              await page
                .locator('.banner.bad')
                .first()
                .waitFor({ timeout: RETRIES })
                .catch(() => undefined);
            }
            await setTimeout(PAUSE);
            await open?.(page);
            await setTimeout(PAUSE);
            if (options.docs && docs?.[1] === width && docs[2] === scheme && state === 'full') {
              await page.screenshot({ path: join(root, 'docs', `${docs[0]}.png`) });
            }
            // All of the page, in a window that is as high: what sticks to its edges is there only once.
            const height = await page.evaluate<number>('document.documentElement.scrollHeight');
            await page.setViewportSize({ width, height });
            await page.screenshot({ path: join(FOLDER, file) });
            await page.setViewportSize(window.viewport);
            taken.push({ screen, state, width, scheme, file });
          } catch (error) {
            console.error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
            process.exitCode = 1;
          }
          await page.unrouteAll({ behavior: 'ignoreErrors' });
          await page.goto('about:blank');
        }
      }
      for (const page of pages.values()) await page.context().close();
      console.log(`${taken.length} pictures after ${width} pixels, ${scheme}`);
    }
  }
  const figures = taken.map(
    ({ file, screen, state, width, scheme }) =>
      `<figure><img src="${file}" width="${width / 2}" alt=""><figcaption>${screen}, ${state}, ${width}, ${scheme}</figcaption></figure>`,
  );
  await writeFile(
    join(FOLDER, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Pictures of the console</title>
<style>body{display:flex;flex-wrap:wrap;gap:16px;font:12px sans-serif;background:#888}figure{margin:0}img{display:block}</style>
${figures.join('\n')}\n`,
  );
}

/** What a web build writes, with something that should not be published. */
async function writeWebBuild(): Promise<void> {
  const folder = join(FOLDER, 'www');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Shop</title>');
  for (let n = 0; n < 24; n++) {
    await writeFile(join(folder, 'assets', `chunk-${n}.js`), `export default ${n};\n`.repeat(2000 + n));
  }
  await writeFile(
    join(folder, 'assets/chunk-0.js.map'),
    `{"version":3,"mappings":"${'AAAA;'.repeat(8000)}"}`,
  );
}

const dataDir = await mkdtemp(join(tmpdir(), 'slipway-pictures-'));
const { migrate, removeEmbeddedPostgresData, startEmbeddedPostgres } = await builtDatabase();
const postgres = await startEmbeddedPostgres({ dataDir });
try {
  await migrate(postgres.url);
  const server = await startServer({ DATABASE_URL: postgres.url, DATA_DIR: dataDir }, { keepLog: false });
  try {
    const acme = await seedAcme(server.origin, postgres.url);
    await rm(FOLDER, { recursive: true, force: true });
    await writeWebBuild();
    const chromium = await Chromium.start();
    try {
      await takeAll(chromium, server.origin, acme);
    } finally {
      await chromium.stop();
    }
    await rm(join(FOLDER, 'www'), { recursive: true });
    console.log(`Written to ${FOLDER}`);
  } finally {
    await server.stop();
  }
} finally {
  await postgres.stop();
  await removeEmbeddedPostgresData(dataDir);
  await rm(dataDir, { recursive: true, force: true });
}
