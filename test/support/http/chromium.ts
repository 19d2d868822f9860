import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
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
  private constructor(private readonly browser: Browser) {}

  static async start(): Promise<Chromium> {
    return new Chromium(await chromium.launch({ executablePath: PROGRAM, args: SWITCHES }));
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

/** What is wrong with a page for people with disabilities, as axe finds it: the rules, and where they are broken. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // As the debugger does: the policy of the page refuses added scripts.
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const { passes, violations } = await page.evaluate<AxeResults>('axe.run()');
  if (passes.length === 0) throw new Error('axe has checked nothing.');
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

interface AxeResults {
  readonly passes: readonly unknown[];
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}
