import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const PROGRAM = '/usr/bin/chromium';

/** Whether this machine has Chromium, as Debian installs it. */
export const hasChromium = existsSync(PROGRAM);

/** No sandbox, because tests may run as root; and no calls of Chromium's own. */
const SWITCHES = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A real browser. */
export class Chromium {
  private readonly browser: Browser;

  private constructor(browser: Browser) {
    this.browser = browser;
  }

  /** @param switches besides the usual ones */
  static async start(switches: readonly string[] = []): Promise<Chromium> {
    return new Chromium(await chromium.launch({ executablePath: PROGRAM, args: [...SWITCHES, ...switches] }));
  }

  /** An empty page in a window of its own, without cookies. */
  async open(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext(options);
    return context.newPage();
  }

  stop(): Promise<void> {
    return this.browser.close();
  }
}

/** What axe needs; loaded once by each spec file. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Without the nodes that pass: a page has thousands, and they would all be sent here. */
const RUN_AXE = `axe.run({ resultTypes: ['violations'] }).then(({ passes, violations }) => ({
  passed: passes.length,
  problems: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)),
}))`;

/** What is wrong with a page for people with disabilities, as axe finds it: the rules, and where they are broken. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // As the debugger does: the policy of the page refuses added scripts.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe);
  const { passed, problems } = await page.evaluate<{ passed: number; problems: string[] }>(RUN_AXE);
  if (passed === 0) throw new Error('axe has checked nothing.');
  return problems;
}
