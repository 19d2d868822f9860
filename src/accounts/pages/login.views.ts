import { type Html, html } from './html.js';
import { notice, postForm, waitNotice } from './layout.js';
import type { Proof } from '../sign-in/sign-in.service.js';
import type { Page, Visit } from './page.js';
import { returnPath } from './return-path.js';
import type { SignInMethods } from './sign-in-methods.js';

/** Why a form is shown again. */
export type Failure = { readonly message: string } | { readonly retryAfterSeconds: number };

/** Offers the ways to sign in: e-mail address and password, the OpenID provider, or both. */
export function loginPage(
  visit: Visit,
  { local, provider }: Pick<SignInMethods, 'local' | 'provider'>,
  { email, next, failure }: { email?: string; next: string; failure?: Failure },
): Page {
  const body = html`<h1>Sign in</h1>
    ${failureNotice(failure)} ${local ? passwordForm(visit, email, next) : null}
    ${local && provider !== null ? html`<p class="or">or</p>` : null}
    ${provider === null ? null : providerLink(provider, next, local)}`;
  return { title: 'Sign in', body, ...statusOf(failure) };
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

/** Asks for the second factor. */
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
        <label>
          Code
          <span class="hint">The six digits in your authenticator app, or one of your recovery codes.</span>
          <input
            class="code"
            name="code"
            maxlength="30"
            autocomplete="one-time-code"
            autocapitalize="characters"
            spellcheck="false"
            required
            autofocus
          />
        </label>
        <button>Continue</button>`,
    )}`;
  return { title: 'Two-factor authentication', body, ...statusOf(failure) };
}

/** What went wrong, as a notice. */
export function failureNotice(failure: Failure | undefined): Html | null {
  if (failure === undefined) return null;
  return 'message' in failure ? notice('bad', failure.message) : waitNotice(failure.retryAfterSeconds);
}

/** The status of a page that reports a failure. */
export function statusOf(failure: Failure | undefined): Pick<Page, 'status' | 'headers'> {
  if (failure === undefined) return {};
  if ('message' in failure) return { status: 422 };
  return { status: 429, headers: { 'Retry-After': String(failure.retryAfterSeconds) } };
}

/** What to tell about a proof that failed. */
export function failureOf(proof: Exclude<Proof, { result: 'proven' }>, message: string): Failure {
  return proof.result === 'too-many' ? { retryAfterSeconds: proof.retryAfterSeconds } : { message };
}
