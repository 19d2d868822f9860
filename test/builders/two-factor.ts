import { TOTP } from 'otpauth';
import type { Browser } from '../support/http/browser.js';

/** An authenticator app. */
export interface Authenticator {
  /** The code that it shows now, or some steps of 30 seconds later. */
  code(stepsLater?: number): string;
}

/** Switches two-factor authentication on for the person who has signed in. */
export async function enableTwoFactor(browser: Browser): Promise<Authenticator> {
  const { html } = await browser.open('/settings/two-factor');
  const secret = (/class="secret">([A-Z2-7 ]+)</.exec(html)?.[1] ?? '').replaceAll(' ', '');
  const authenticator = {
    code: (stepsLater = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + stepsLater * 30_000 }),
  };
  const shown = await browser.submit('/settings/two-factor/enable', { code: authenticator.code() });
  if (!shown.html.includes('Two-factor authentication is on.')) throw new Error(shown.html);
  return authenticator;
}
