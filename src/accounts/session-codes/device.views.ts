import type { SessionCode } from './session-code.entity.js';
import { formatUserCode } from './user-code.js';
import { html } from '../../pages/views/html.js';
import { copyable, notice, postForm } from '../../pages/views/layout.js';
import { type Failure, failureNotice, statusOf } from '../../pages/views/failure.js';
import type { Page, SignedInVisit } from '../../pages/views/page.js';
import { showAge, showTime } from '../../pages/views/times.js';

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

/** Shows which program asks, and lets the visitor decide. */
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
      Approve only what you have just started yourself. If another person sent you this code, deny it.
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

/** Says that a version of the command-line tool cannot be signed in by a code, and what to do. */
export function outdatedCliPage(code: SessionCode): Page {
  const body = html`<h1>Use a token</h1>
    ${notice('bad', `${code.userAgent ?? 'This version'} cannot be signed in with a code. It was not signed in.`)}
    <p>
      Create a token in your <a href="/settings/tokens">API tokens</a>. Then enter it in your terminal as
      follows, or sign in with version 4.15 of the tool or newer.
    </p>
    ${copyable(['npx @capawesome/cli login --token ca_…'])}`;
  return { title: 'Use a token', body };
}

/** Confirms the decision. */
export function decidedPage(decision: 'approved' | 'denied'): Page {
  const body =
    decision === 'approved'
      ? html`<h1>Device signed in</h1>
          ${notice('good', 'Approved. You can close this page and go back to your device.')}
          <p>You can sign it out again in your <a href="/settings/sessions">sessions</a>.</p>`
      : html`<h1>Denied</h1>
          ${notice('good', 'The device was not signed in.')}
          <p>
            If you did not start this, another person may have sent you the code. You need not do anything
            else.
          </p>`;
  return { title: decision === 'approved' ? 'Device signed in' : 'Denied', body };
}
