import { type Failure, failureNotice, statusOf } from '../../pages/views/failure.js';
import { html } from '../../pages/views/html.js';
import { notice, postForm } from '../../pages/views/layout.js';
import type { Page, Visit } from '../../pages/views/page.js';
import { newPasswordFields, operatorCommand } from '../passwords/password.views.js';
import { SIGN_IN_LINK_PATH } from './create-sign-in-link.js';
import type { FoundLink } from './sign-in-links.service.js';

interface LinkPassword extends FoundLink {
  /** The secret of the link. */
  readonly token: string;
  readonly failure?: Failure;
}

/** Asks the user of a link for a password. */
export function linkPasswordPage(visit: Visit, { user, purpose, token, failure }: LinkPassword): Page {
  const isFirst = purpose === 'first-password';
  const title = isFirst ? 'Set your password' : 'Set a new password';
  const body = html`<h1>${title}</h1>
    ${failureNotice(failure)}
    <p>You sign in as <strong>${user.email}</strong>.</p>
    ${postForm(
      visit,
      SIGN_IN_LINK_PATH,
      html`<input type="hidden" name="token" value="${token}" />
        <input type="text" name="username" value="${user.email}" autocomplete="username" hidden />
        ${newPasswordFields(isFirst ? 'Password' : 'New password')}
        <button>${isFirst ? 'Set password and sign in' : 'Set password'}</button>`,
    )}`;
  // Requests of this page do not carry its address, which holds the secret. Browsers still send the origin of the form.
  const headers = { 'Referrer-Policy': 'strict-origin' };
  return { title, body, ...statusOf(failure), headers };
}

/** Confirms a new password, with which the user signs in now. */
export function passwordSetPage(): Page {
  const title = 'Set a new password';
  const body = html`<h1>${title}</h1>
    ${notice('good', 'Your password is changed. All sessions were signed out.')}
    <a class="button main" href="/login">Sign in</a>`;
  return { title, body };
}

/** Explains how to sign in without the link. */
export function invalidLinkPage(): Page {
  const title = 'This link does not work';
  const body = html`<h1>${title}</h1>
    <p>
      Links work once and for a limited time. If you have set a password,
      <a href="/login">sign in</a> with it. If you forgot it, <a href="/login/forgot">get a new link</a>.
    </p>
    ${operatorCommand('Otherwise ask an administrator of this server, who makes a new link with', [
      'slipway user create \\',
      '  --email <your address>',
    ])}`;
  return { title, body, status: 410 };
}
