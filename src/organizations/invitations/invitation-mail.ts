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
 * The mail about an invitation. The link has no secret, because accepting requires a sign-in with the address.
 *
 * @param publicUrl base URL of the pages
 */
export function invitationMail(
  { id, email, role, expiresAt }: Invitation,
  { organizationName, inviter }: InvitationMailDetails,
  publicUrl: string,
): Mail {
  const link = `${publicUrl}/settings/invitations`;
  const until = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const who = inviter ?? 'A former member';
  const unexpected = 'If you do not know what this is about, ignore this message.';
  const text = [
    `${who} invites you to join the organization "${organizationName}" as ${role}.`,
    '',
    `To answer, sign in as ${email}:`,
    link,
    '',
    `The invitation can be accepted until ${until}. ${unexpected}`,
    '',
  ].join('\n');
  const body = html`<p>
      ${who} invites you to join the organization <strong>${organizationName}</strong> as ${role}.
    </p>
    <p>To answer, sign in as ${email}: <a href="${link}">${link}</a></p>
    <p>The invitation can be accepted until ${until}. ${unexpected}</p>`;
  return { id, to: email, subject: `Invitation to ${organizationName}`, text, html: body.text };
}
