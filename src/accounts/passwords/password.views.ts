import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './password-rules.js';
import { type Html, html } from '../../pages/views/html.js';
import { copyable, notice, postForm } from '../../pages/views/layout.js';
import { type Failure, failureNotice, statusOf } from '../../pages/views/failure.js';
import type { Page, SignedInVisit } from '../../pages/views/page.js';

/** Sets a password, with a placeholder: these pages are public, so they name no user and no version. */
export const SET_PASSWORD_COMMAND = ['slipway password \\', '  --email <your address>'] as const;

/** A command for those who run the server. @param before the sentence that it ends */
export function operatorCommand(before: string, lines: readonly string[]): Html {
  return html`<p>${before}</p>
    ${copyable(lines)}
    <p class="muted">
      The page “Authentication” of the documentation shows, under “The first password”, how to run it in each
      kind of installation.
    </p>`;
}

/** A form to change the password. */
export function passwordPage(
  visit: SignedInVisit,
  { changed, failure }: { changed?: boolean; failure?: Failure } = {},
): Page {
  const body = html`<h1>Password</h1>
    ${failureNotice(failure)}
    ${changed ? notice('good', 'Your password is changed. All other sessions were signed out.') : null}
    ${postForm(
      visit,
      '/settings/password',
      html`<input type="text" name="username" value="${visit.email}" autocomplete="username" hidden />
        ${field('Current password', 'current', 'current-password', 1)} ${newPasswordFields('New password')}
        <button>Change password</button>`,
    )}`;
  return { title: 'Password', body, navigation: true, ...statusOf(failure) };
}

/** Explains why there is nothing to set here. @param reason a sentence */
export function notLocalPage(title: string, reason: string): Page {
  const body = html`<h1>${title}</h1>
    <p>${reason}</p>`;
  return { title, body, navigation: true };
}

/** The fields `password` and `repeated`, with the rules. @param label of the first one */
export function newPasswordFields(label: string): Html {
  return html`${field(label, 'password', 'new-password', MIN_PASSWORD_LENGTH)}
    ${field(`${label}, again`, 'repeated', 'new-password', MIN_PASSWORD_LENGTH)}
    <p class="muted">
      At least ${MIN_PASSWORD_LENGTH} characters, of any kind, and not easy to guess. A few unusual words are
      easier to remember than symbols.
    </p>`;
}

function field(label: string, name: string, autocomplete: string, minLength: number): Html {
  return html`<label>
    ${label}
    <input
      type="password"
      name="${name}"
      minlength="${minLength}"
      maxlength="${MAX_PASSWORD_LENGTH}"
      autocomplete="${autocomplete}"
      required
    />
  </label>`;
}
