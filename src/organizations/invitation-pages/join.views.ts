import { newPasswordFields } from '../../accounts/passwords/password.views.js';
import { type Failure, failureNotice, statusOf } from '../../pages/views/failure.js';
import { type Html, html } from '../../pages/views/html.js';
import { notice, postForm } from '../../pages/views/layout.js';
import type { Page, SignedInVisit, Visit } from '../../pages/views/page.js';
import { showTime } from '../../pages/views/times.js';
import { INVITATION_LINK_PATH } from '../invitations/invitation-links.service.js';
import type { LinkedInvitation } from '../invitations/invitations.queries.js';

/** An invitation, and the secret of the link that was followed. */
interface Linked {
  readonly invitation: LinkedInvitation;
  readonly token: string;
}

interface Ways {
  /** Whether a person without an account can create one here. */
  readonly createsAccounts: boolean;
  /** The name of the OpenID provider; `null`: there is none. */
  readonly provider: string | null;
  readonly failure: Failure | undefined;
}

const NEXT = `next=${encodeURIComponent('/settings/invitations')}`;

/** Requests of these pages do not carry their address, which holds the secret. Browsers still send the origin of forms. */
const headers = { 'Referrer-Policy': 'strict-origin' };

/** Offers a visitor who has not signed in the ways to join, whether or not the address has an account. */
export function joinPage(visit: Visit, linked: Linked, { createsAccounts, provider, failure }: Ways): Page {
  const { invitation } = linked;
  const byProvider = html`<a class="button ${createsAccounts ? null : 'main'}" href="/login/oidc?${NEXT}"
    >Sign in with ${provider}</a
  >`;
  const bySignIn = html`<p><a class="button main" href="/login?${NEXT}">Sign in</a></p>`;
  const body = html`<h1>Join ${invitation.organizationName}</h1>
    ${failureNotice(failure)} ${summary(invitation)} ${createsAccounts ? passwordForm(visit, linked) : null}
    ${createsAccounts && provider !== null ? html`<p class="or">or</p>` : null}
    ${provider !== null ? byProvider : createsAccounts ? null : bySignIn}`;
  return { title: titleOf(invitation), body, ...statusOf(failure), headers };
}

function passwordForm(visit: Visit, { invitation, token }: Linked): Html {
  const { email, twoFactorRequired } = invitation;
  const next = 'The organization requires two-factor authentication: you set it up next.';
  return html`<p>
      If you have an account already, <a href="/login?${NEXT}">sign in</a> and accept the invitation.
      Otherwise set a password to create your account.
    </p>
    ${postForm(
      visit,
      INVITATION_LINK_PATH,
      html`<input type="hidden" name="token" value="${token}" />
        <input type="text" name="username" value="${email}" autocomplete="username" hidden />
        ${newPasswordFields('Password')} ${twoFactorRequired ? html`<p class="muted">${next}</p>` : null}
        <button>Create account and join</button>`,
    )}`;
}

/** Offers the invited user, who has signed in, to accept or decline. @param verified `false`: only with a verified address */
export function decisionPage(visit: SignedInVisit, linked: Linked, verified: boolean): Page {
  const { invitation } = linked;
  const body = html`<h1>Join ${invitation.organizationName}</h1>
    ${summary(invitation)} ${verified ? decisionForm(visit, linked) : notice('bad', UNVERIFIED)}`;
  return { title: titleOf(invitation), body, headers };
}

/** Why a user cannot decide about invitations. */
export const UNVERIFIED =
  'Your e-mail address is not verified: you joined with a link that was not mailed to you. Sign in in a way that verifies it, or ask the operator of this server.';

function decisionForm(visit: Visit, { token }: Linked): Html {
  return postForm(
    visit,
    `${INVITATION_LINK_PATH}/decision`,
    html`<input type="hidden" name="token" value="${token}" />
      <div class="buttons">
        <button class="plain" name="decision" value="decline">Decline</button>
        <button name="decision" value="accept">Accept</button>
      </div>`,
  );
}

/** Explains that the visitor has signed in as another user than the invited one. */
export function otherAccountPage(visit: SignedInVisit, { invitation }: Linked): Page {
  const body = html`<h1>This invitation is for another account</h1>
    <p>
      You are signed in as <strong>${visit.email}</strong>. The invitation to ${invitation.organizationName}
      is for <strong>${invitation.email}</strong>. Sign out, then open the link again.
    </p>
    ${postForm(visit, '/logout', html`<button>Sign out</button>`)}`;
  return { title: 'Another account', body, headers };
}

/** Explains how a person with an account accepts. Nothing in it depends on how the account is protected. */
export function hasAccountPage({ email, organizationName, mailed }: LinkedInvitation): Page {
  const body = html`<h1>You have an account already</h1>
    <p>
      There is an account for <strong>${email}</strong>, so no password was set. Sign in to it, and accept the
      invitation to ${organizationName}, or open the link again then.
    </p>
    ${mailed ? html`<p>We have also mailed you how.</p>` : null}
    <p><a class="button main" href="/login?${NEXT}">Sign in</a></p>
    <p class="muted">If you never created this account, ask the operator of this server.</p>`;
  return { title: 'You have an account already', body, headers };
}

/** Explains what to do without the link. */
export function invalidLinkPage(): Page {
  const body = html`<h1>This link does not work any more</h1>
    <p>
      The links of an invitation work until it is accepted, declined or revoked, for seven days. If you have
      an account, <a href="/login?${NEXT}">sign in</a>. Otherwise ask for another invitation.
    </p>`;
  return { title: 'This link does not work any more', body, status: 410, headers };
}

function summary({ inviter, email, role, organizationName, expiresAt }: LinkedInvitation): Html {
  return html`<p>
    ${inviter ?? 'A former member'} invites <strong>${email}</strong> to join the organization
    <strong>${organizationName}</strong> as ${role}, until ${showTime(expiresAt)}.
  </p>`;
}

function titleOf({ organizationName }: LinkedInvitation): string {
  return `Join ${organizationName}`;
}
