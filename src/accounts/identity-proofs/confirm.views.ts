import { PROOF_VALID_MINUTES } from '../../common/access/recent-proof.js';
import { codeField } from '../../pages/views/code-field.js';
import { type Failure, failureNotice, statusOf } from '../../pages/views/failure.js';
import { type Html, html } from '../../pages/views/html.js';
import { postForm } from '../../pages/views/layout.js';
import type { Page, SignedInVisit } from '../../pages/views/page.js';
import type { ReturnPath } from '../../pages/views/site-map.js';
import type { Factors } from './identity-proofs.service.js';

interface Confirmation {
  readonly factors: Factors;
  /** Name of the OpenID provider at which the visitor can confirm; `null`: none. */
  readonly provider: string | null;
  readonly next: ReturnPath;
  readonly failure?: Failure;
}

/** Asks a visitor who signed in a while ago for the password or a code, or sends them to the provider. */
export function confirmPage(visit: SignedInVisit, { factors, provider, next, failure }: Confirmation): Page {
  const here = factors.password || factors.code;
  const body = html`<h1>Confirm that it is you</h1>
    ${failureNotice(failure)}
    <p>Your sign-in is older than ${PROOF_VALID_MINUTES} minutes.</p>
    ${
      here
        ? postForm(
            visit,
            '/login/confirm',
            html`<input type="hidden" name="next" value="${next}" />
              ${factorFields(visit.email, factors)}<button>Confirm</button>`,
          )
        : null
    }
    ${here && provider !== null ? html`<p class="or">or</p>` : null}
    ${
      provider === null
        ? null
        : html`<a class="button" href="/login/oidc?confirm=yes&next=${encodeURIComponent(next)}"
            >Confirm with ${provider}</a
          >`
    }
    ${here || provider !== null ? null : html`<p>Sign out and sign in again.</p>`}`;
  return { title: 'Confirm that it is you', body, ...statusOf(failure) };
}

/** The fields of a form for these factors. @param email whose password it is */
export function factorFields(email: string, { password, code }: Factors): Html {
  return html`${
    password
      ? html`<input type="text" name="username" value="${email}" autocomplete="username" hidden />
          <label>
            Password
            <input type="password" name="password" maxlength="256" autocomplete="current-password" required />
          </label>`
      : null
  }${code ? codeField() : null}`;
}
