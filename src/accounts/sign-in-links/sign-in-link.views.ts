import { type Failure, failureNotice, statusOf } from '../../pages/views/failure.js';
import { html } from '../../pages/views/html.js';
import { copyable, postForm } from '../../pages/views/layout.js';
import type { Page, Visit } from '../../pages/views/page.js';
import { newPasswordFields, SET_PASSWORD_COMMAND } from '../passwords/password.views.js';
import { SIGN_IN_LINK_MINUTES, SIGN_IN_LINK_PATH } from './create-sign-in-link.js';

interface FirstPassword {
  readonly email: string;
  /** The secret of the link. */
  readonly token: string;
  readonly failure?: Failure;
}

/** Asks the user of a sign-in link for the first password. */
export function firstPasswordPage(visit: Visit, { email, token, failure }: FirstPassword): Page {
  const body = html`<h1>Set your password</h1>
    ${failureNotice(failure)}
    <p>You sign in as <strong>${email}</strong>.</p>
    ${postForm(
      visit,
      SIGN_IN_LINK_PATH,
      html`<input type="hidden" name="token" value="${token}" />
        <input type="text" name="username" value="${email}" autocomplete="username" hidden />
        ${newPasswordFields('Password')}
        <button>Set password and sign in</button>`,
    )}`;
  // Requests of this page do not carry its address, which holds the secret. Browsers still send the origin of the form.
  const headers = { 'Referrer-Policy': 'strict-origin' };
  return { title: 'Set your password', body, ...statusOf(failure), headers };
}

/** Explains how to sign in without the link. */
export function invalidLinkPage(): Page {
  const body = html`<h1>This link does not work</h1>
    <p>
      Links work once, and for ${SIGN_IN_LINK_MINUTES} minutes. If you have set a password,
      <a href="/login">sign in</a> with it.
    </p>
    <p>Otherwise start Slipway again in a terminal to get a new link, or run</p>
    ${copyable(SET_PASSWORD_COMMAND)}`;
  return { title: 'This link does not work', body, status: 410 };
}
