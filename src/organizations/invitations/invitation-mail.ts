import { html } from '../../pages/views/html.js';
import type { Mail } from '../../mail/mailer.service.js';
import type { Invitation } from './invitation.entity.js';

/** The names in the mail. */
export interface InvitationMailDetails {
  readonly organizationName: string;
  /** E-mail address of the user who invited; `null`: deleted. */
  readonly inviter: string | null;
}

/**
 * The mail about an invitation.
 *
 * @param url where the person accepts it
 * @param withSecret whether the URL lets its visitor create the account of the address
 */
export function invitationMail(
  { id, email, role, expiresAt }: Invitation,
  { organizationName, inviter }: InvitationMailDetails,
  { url, withSecret }: { readonly url: string; readonly withSecret: boolean },
): Mail {
  const until = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const who = inviter ?? 'A former member';
  const what = withSecret ? `Open this link to answer as ${email}:` : `To answer, sign in as ${email}:`;
  const unexpected = withSecret
    ? 'The link is for you alone, so do not forward it. If you do not know what this is about, ignore this message.'
    : 'If you do not know what this is about, ignore this message.';
  const text = [
    `${who} invites you to join the organization "${organizationName}" as ${role}.`,
    '',
    what,
    url,
    '',
    `The invitation can be accepted until ${until}. ${unexpected}`,
    '',
  ].join('\n');
  const body = html`<p>
      ${who} invites you to join the organization <strong>${organizationName}</strong> as ${role}.
    </p>
    <p>${what} <a href="${url}">${url}</a></p>
    <p>The invitation can be accepted until ${until}. ${unexpected}</p>`;
  return { id, to: email, subject: `Invitation to ${organizationName}`, text, html: body.text };
}
