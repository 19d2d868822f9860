import { type Html, html } from '../../pages/views/html.js';
import { notice, postForm } from '../../pages/views/layout.js';
import type { Page, Visit } from '../../pages/views/page.js';
import { operatorCommand, SET_PASSWORD_COMMAND } from '../passwords/password.views.js';
import { NEW_PASSWORD_MINUTES } from './new-password-mail.js';

const TITLE = 'Forgot password?';

/** What this server offers to users who forgot their password. */
interface Offers {
  /** Whether it mails links. */
  readonly mail: boolean;
  /** Name of the OpenID provider; `null`: there is none. */
  readonly provider: string | null;
}

/** Offers a link by mail, or the command of the administrator. */
export function forgotPage(visit: Visit, { mail, provider }: Offers): Page {
  const body = html`<h1>${TITLE}</h1>
    ${mail ? mailForm(visit) : administratorHelp()}
    ${
      provider === null
        ? null
        : html`<p>
            You can also <a href="/login/oidc">sign in with ${provider}</a>, if you have an account there.
          </p>`
    }
    <p><a href="/login">Back to sign-in</a></p>`;
  return { title: TITLE, body };
}

/** The same for every address: it does not show which ones have an account. */
export function linkRequestedPage(): Page {
  const body = html`<h1>${TITLE}</h1>
    ${notice(
      'good',
      'If a user of this server has this address and a password here, a link is on its way to it.',
    )}
    <p>
      The link works once, for ${NEW_PASSWORD_MINUTES} minutes. If no email arrives within a few minutes, look
      into your spam folder, then ask an administrator of this server.
    </p>
    <p><a href="/login">Back to sign-in</a></p>`;
  return { title: TITLE, body };
}

function mailForm(visit: Visit): Html {
  return html`<p>
      Enter the address with which you sign in. You get a link with which you set a new password.
    </p>
    ${postForm(
      visit,
      '/login/forgot',
      html`<label>
          E-mail address
          <input type="email" name="email" maxlength="320" autocomplete="username" required autofocus />
        </label>
        <button>Send link</button>`,
    )}`;
}

function administratorHelp(): Html {
  return html`<p>This server sends no email. Ask an administrator of this server for a new password.</p>
    ${operatorCommand('Administrators set it with', SET_PASSWORD_COMMAND)}`;
}
