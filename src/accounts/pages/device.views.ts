import type { SessionCode } from '../sessions/session-code.entity.js';
import { formatUserCode } from '../sessions/user-code.js';
import { html } from './html.js';
import { notice, postForm } from './layout.js';
import { type Failure, failureNotice, statusOf } from './login.views.js';
import type { Page, SignedInVisit } from './page.js';
import { showAge, showTime } from './times.js';

const ACTION = '/login/device';

/** Asks for the code that a program shows. */
export function askForCodePage(visit: SignedInVisit, failure?: Failure, typed = ''): Page {
  const body = html`<h1>Sign in a device</h1>
    ${failureNotice(failure)}
    <p>
      Type the code that your terminal or device shows. You will see what is asking before anything happens.
    </p>
    ${postForm(
      visit,
      ACTION,
      html`<label>
          Code
          <input
            class="code"
            name="code"
            value="${typed}"
            placeholder="XXXX-XXXX"
            maxlength="20"
            autocomplete="off"
            autocapitalize="characters"
            spellcheck="false"
            required
            autofocus
          />
        </label>
        <button>Continue</button>`,
    )}`;
  return { title: 'Sign in a device', body, ...statusOf(failure) };
}

/** Shows what is asking, and lets the visitor decide. */
export function confirmCodePage(visit: SignedInVisit, code: SessionCode): Page {
  const body = html`<h1>Sign in this device?</h1>
    <p>It will act as <strong>${visit.email}</strong> until it is signed out.</p>
    <dl>
      <div>
        <dt>Code</dt>
        <dd class="mono">${formatUserCode(code.code)}</dd>
      </div>
      <div>
        <dt>Program</dt>
        <dd>${code.userAgent ?? 'It does not say'}</dd>
      </div>
      <div>
        <dt>Address</dt>
        <dd>${code.address}${code.address === visit.origin.address ? ' (the same as yours)' : null}</dd>
      </div>
      <div>
        <dt>Asked</dt>
        <dd>${showAge(code.createdAt)} <span class="hint">${showTime(code.createdAt)}</span></dd>
      </div>
    </dl>
    <p class="muted">
      Approve only what you have just started yourself. If somebody sent you this code, deny it.
    </p>
    ${postForm(
      visit,
      ACTION,
      html`<input type="hidden" name="code" value="${code.code}" />
        <div class="buttons">
          <button class="plain" name="decision" value="deny">Deny</button>
          <button name="decision" value="approve">Approve</button>
        </div>`,
    )}`;
  return { title: 'Sign in this device?', body };
}

/** Says what was decided. */
export function decidedPage(decision: 'approved' | 'denied'): Page {
  const body =
    decision === 'approved'
      ? html`<h1>Device signed in</h1>
          ${notice('good', 'Approved. You can close this page and go back to your device.')}
          <p>You can sign it out again in your <a href="/settings/sessions">sessions</a>.</p>`
      : html`<h1>Denied</h1>
          ${notice('good', 'The device was not signed in.')}
          <p>
            If you did not start this, somebody else may have sent you the code. Nothing else is to be done.
          </p>`;
  return { title: decision === 'approved' ? 'Device signed in' : 'Denied', body };
}
