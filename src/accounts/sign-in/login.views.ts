import { type Html, html } from '../../pages/views/html.js';
import { codeField } from '../../pages/views/code-field.js';
import { type Failure, failureNotice, statusOf } from '../../pages/views/failure.js';
import { postForm } from '../../pages/views/layout.js';
import type { Page, Visit } from '../../pages/views/page.js';
import { returnPath } from '../../pages/views/site-map.js';
import { operatorCommand, SET_PASSWORD_COMMAND } from '../passwords/password.views.js';
import type { SignInMethods } from '../passwords/sign-in-methods.js';

/** Offers the ways to sign in: e-mail address and password, the OpenID provider, or both. */
export function loginPage(
  visit: Visit,
  { local, provider }: Pick<SignInMethods, 'local' | 'provider'>,
  {
    email,
    next,
    failure,
    lacksPasswords = false,
  }: { email?: string; next: string; failure?: Failure; lacksPasswords?: boolean },
): Page {
  const body = html`<h1>Sign in</h1>
    ${failureNotice(failure)} ${lacksPasswords ? firstPasswordHint() : null}
    ${local ? passwordForm(visit, email, next) : null}
    ${local ? html`<p><a href="/login/forgot">Forgot password?</a></p>` : null}
    ${local && provider !== null ? html`<p class="or">or</p>` : null}
    ${provider === null ? null : providerLink(provider, next, local)}`;
  return { title: 'Sign in', body, ...statusOf(failure) };
}

function firstPasswordHint(): Html {
  return html`<div class="notice info">
    ${operatorCommand(
      'No user has a password yet. If you run this server, open the link that it printed in your terminal, or run',
      SET_PASSWORD_COMMAND,
    )}
  </div>`;
}

function providerLink(provider: string, next: string, second: boolean): Html {
  const href = `/login/oidc?next=${encodeURIComponent(returnPath(next))}`;
  return html`<a class="button ${second ? null : 'main'}" href="${href}">Sign in with ${provider}</a>`;
}

function passwordForm(visit: Visit, email: string | undefined, next: string): Html {
  return postForm(
    visit,
    '/login',
    html`<input type="hidden" name="next" value="${next}" />
      <label>
        E-mail address
        <input
          type="email"
          name="email"
          value="${email}"
          maxlength="320"
          autocomplete="username"
          required
          ${email ? null : html`autofocus`}
        />
      </label>
      <label>
        Password
        <input
          type="password"
          name="password"
          maxlength="256"
          autocomplete="current-password"
          required
          ${email ? html`autofocus` : null}
        />
      </label>
      <button>Sign in</button>`,
  );
}

export function secondFactorPage(
  visit: Visit,
  { challenge, next, failure }: { challenge: string; next: string; failure?: Failure },
): Page {
  const body = html`<h1>Two-factor authentication</h1>
    ${failureNotice(failure)}
    ${postForm(
      visit,
      '/login/second-factor',
      html`<input type="hidden" name="next" value="${next}" />
        <input type="hidden" name="challenge" value="${challenge}" />
        ${codeField({ autofocus: true })}<button>Continue</button>`,
    )}`;
  return { title: 'Two-factor authentication', body, ...statusOf(failure) };
}
