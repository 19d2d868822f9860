import { type Failure, failureNotice, statusOf } from '../../pages/views/failure.js';
import { html } from '../../pages/views/html.js';
import { postForm } from '../../pages/views/layout.js';
import type { Page, Visit } from '../../pages/views/page.js';
import { factorFields } from '../identity-proofs/confirm.views.js';
import type { Factors } from '../identity-proofs/identity-proofs.service.js';

interface Link {
  readonly email: string;
  readonly factors: Factors;
  readonly sealed: string;
  readonly failure?: Failure;
}

/** Asks for the proof of the account here before it is linked. @param provider name of the provider */
export function linkPage(visit: Visit, provider: string, { email, factors, sealed, failure }: Link): Page {
  const body = html`<h1>Link your account</h1>
    ${failureNotice(failure)}
    <p>
      There is an account for ${email} here. Prove once that it is yours; then you can sign in with
      ${provider}.
    </p>
    ${postForm(
      visit,
      '/login/oidc/link',
      html`<input type="hidden" name="sealed" value="${sealed}" /> ${factorFields(email, factors)}<button>
          Link
        </button>`,
    )}`;
  return { title: 'Link your account', body, ...statusOf(failure) };
}
