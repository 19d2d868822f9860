import { setTimeout } from 'node:timers/promises';
import type { Page, Request, Response } from 'playwright-core';
import { PASSWORD, signedInBrowser } from '../../test/builders/person.js';
import type { Actor } from '../../test/builders/identities.js';
import { testEnvironment } from '../../test/setup/test-environment.js';
import type { Chromium } from '../../test/support/http/chromium.js';

const server = testEnvironment().origin;

/** What Chromium itself writes for a response that a story causes: it is no message of the console. */
const FAILED_LOAD = /^Failed to load resource: the server responded with a status of (4\d\d|503)/;

/** How long a page may take, in milliseconds: generous, since it ends as soon as it does. */
const PATIENCE = 90_000;

/** A window of a person, and all that went wrong in it. */
export interface Visitor {
  readonly page: Page;
  /** Messages, exceptions, violations of the policy, and requests to other hosts, since the sign-in. */
  readonly problems: readonly string[];
  /** Paths of the API, with their queries, that were requested since the last `visit`. */
  readonly requests: readonly string[];
  visit(path: string): Promise<void>;
  /** Begins again as another person, with nothing of what was before but the files that the browser has loaded. */
  signIn(person: Actor): Promise<void>;
}

interface Window {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly timezoneId?: string;
  /** Where the browser finds the server, if not at its own address. */
  readonly origin?: string;
}

/** Within so many milliseconds after a response, a page asks for what that leads to. */
const QUIET = 250;

/** Waits until the page has what it asked for, and asks for nothing more. */
async function settled(traffic: Traffic): Promise<void> {
  for (let before = -1; traffic.pending.size > 0 || traffic.sent !== before;) {
    before = traffic.sent;
    await setTimeout(QUIET);
  }
}

/** What a page asks for, without its stream, which stays open. */
interface Traffic {
  sent: number;
  readonly pending: Set<Request>;
}

/** Opens a window in which a person has signed in. @param person `null`: none has */
export async function visitorOf(
  chromium: Chromium,
  person: Actor | null,
  window: Window = {},
): Promise<Visitor> {
  const { width = 1280, colorScheme = 'light', origin = server, timezoneId } = window;
  const page = await chromium.open({
    viewport: { width, height: 844 },
    colorScheme,
    // Stories need not wait until something has moved.
    reducedMotion: 'reduce',
    ...(timezoneId !== undefined && { timezoneId }),
  });
  page.setDefaultTimeout(PATIENCE);
  const context = page.context();
  const problems: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (!FAILED_LOAD.test(message.text())) problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`exception: ${error.message}`));
  page.on('response', (response: Response) => {
    const url = new URL(response.url());
    if (url.protocol !== 'blob:' && url.origin !== origin)
      problems.push(`foreign request: ${response.url()}`);
  });
  const traffic: Traffic = { sent: 0, pending: new Set() };
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.endsWith('/changes')) return;
    traffic.sent += 1;
    traffic.pending.add(request);
    if (pathname.startsWith('/v1/')) requests.push(pathname + search);
  });
  page.on('requestfinished', (request) => traffic.pending.delete(request));
  page.on('requestfailed', (request) => traffic.pending.delete(request));
  const visitor: Visitor = {
    page,
    problems,
    requests,
    visit: async (path) => {
      requests.length = 0;
      traffic.pending.clear();
      await page.goto(origin + path);
      await page.locator('main h1, form[action="/login"]').first().waitFor();
      await settled(traffic);
    },
    signIn: async (next) => {
      await Promise.all(context.pages().map((tab) => (tab === page ? undefined : tab.close())));
      await context.unrouteAll();
      await page.unrouteAll();
      await page.goto('about:blank');
      await context.clearCookies();
      const [name = '', value = ''] = ((await signedInBrowser(next)).cookie ?? '').split('=', 2);
      await context.addCookies([{ name, value, url: origin }]);
      problems.length = 0;
    },
  };
  if (person !== null) await visitor.signIn(person);
  return visitor;
}

/** Signs a person in, in the tab that a page opens for that when its session has ended. */
export async function signInAgain(page: Page, person: Pick<Actor, 'email'>): Promise<void> {
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Sign in again' }).click(),
  ]);
  await tab.getByLabel('E-mail address').fill(person.email);
  await tab.getByLabel('Password').fill(PASSWORD);
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await tab.waitForURL(({ pathname }) => pathname !== '/login');
}
