import type { Mail } from '../../mail/mailer.service.js';
import { html } from '../../pages/views/html.js';

/** How long a mailed link is valid. */
export const NEW_PASSWORD_MINUTES = 30;

/**
 * The mail with a link to a new password.
 *
 * @param id of the mail
 * @param link with the secret
 */
export function newPasswordMail(id: string, email: string, link: string): Mail {
  const what = `You, or someone who entered your address, asked for a new password for ${email}.`;
  const how = `Open this link to set it, once and within ${NEW_PASSWORD_MINUTES} minutes:`;
  const unexpected = 'If that was not you, ignore this message: your password stays as it is.';
  const text = [what, '', how, link, '', unexpected, ''].join('\n');
  const body = html`<p>${what}</p>
    <p>${how} <a href="${link}">${link}</a></p>
    <p>${unexpected}</p>`;
  return { id, to: email, subject: 'Set a new password', text, html: body.text };
}
