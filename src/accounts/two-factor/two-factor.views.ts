import { renderSVG } from 'uqr';
import { otpauthUri } from './totp.js';
import { Html, html } from '../../pages/views/html.js';
import { notice, postForm } from '../../pages/views/layout.js';
import { type Failure, failureNotice, statusOf } from '../../pages/views/failure.js';
import type { Page, SignedInVisit } from '../../pages/views/page.js';

export const TITLE = 'Two-factor authentication';

/** Where visitors set the second factor up that an organization of theirs requires. */
export const REQUIRED_PATH = '/settings/two-factor?required=yes';

const REQUIRED =
  'Your organization requires two-factor authentication. Set it up now: before that, you cannot use the organization.';

interface Enrolment {
  readonly secret: string;
  readonly sealed: string;
  readonly failure?: Failure;
  /** Whether an organization of the visitor requires it. */
  readonly required?: boolean;
}

/** Shows the secret for an authenticator app, and asks for its first code. */
export function enrolPage(
  visit: SignedInVisit,
  { secret, sealed, failure, required = false }: Enrolment,
): Page {
  const uri = otpauthUri(secret, 'Slipway', visit.email);
  const body = html`<h1>${TITLE}</h1>
    ${failureNotice(failure)} ${required ? notice('info', REQUIRED) : null}
    <p>With it, signing in takes your password and a code of an app on your phone. It is off now.</p>
    <h2>1. Scan this with your authenticator app</h2>
    <div class="qr" role="img" aria-label="QR code with the secret for your authenticator app">
      ${new Html(renderSVG(uri, { border: 2 }))}
    </div>
    <p class="muted">Or <a href="${uri}">open it on this device</a>, or type the secret:</p>
    <p><code class="secret">${(secret.match(/.{4}/g) ?? []).join(' ')}</code></p>
    <h2>2. Type the code that it shows</h2>
    ${postForm(
      visit,
      '/settings/two-factor/enable',
      html`<input type="hidden" name="sealed" value="${sealed}" />
        <label>
          Code
          <input
            class="code"
            name="code"
            inputmode="numeric"
            maxlength="10"
            autocomplete="one-time-code"
            required
          />
        </label>
        <button>Switch on</button>`,
    )}`;
  return { title: TITLE, body, navigation: true, ...statusOf(failure) };
}

/** Offers new recovery codes and the way to switch it off. */
export function enabledPage(visit: SignedInVisit, recoveryCodes: number, failure?: Failure): Page {
  const body = html`<h1>${TITLE}</h1>
    ${failureNotice(failure)}
    <p><span class="tag">on</span> Signing in takes your password and a code of your authenticator app.</p>
    <h2>Recovery codes</h2>
    <p>You have ${recoveryCodes} of 10 left. Each one stands in for your app once.</p>
    ${postForm(
      visit,
      '/settings/two-factor/recovery-codes',
      html`${password()}<button class="plain">Make new recovery codes</button>`,
    )}
    <h2>Switch it off</h2>
    ${postForm(
      visit,
      '/settings/two-factor/disable',
      html`${password()}<button class="danger">Switch off</button>`,
    )}`;
  return { title: TITLE, body, navigation: true, ...statusOf(failure) };
}

/** Shows new recovery codes, once. */
export function recoveryCodesPage(message: string, codes: readonly string[]): Page {
  const body = html`<h1>Recovery codes</h1>
    ${notice('good', message)}
    <p>
      Keep these codes where you find them without your phone. Each one signs you in once in place of your
      app. They are not shown again.
    </p>
    <ul class="codes">
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ul>
    <p><a href="/settings/two-factor">I have kept them</a></p>`;
  return { title: 'Recovery codes', body, navigation: true };
}

function password(): Html {
  return html`<label>
    Password
    <input type="password" name="password" maxlength="256" autocomplete="current-password" required />
  </label>`;
}
