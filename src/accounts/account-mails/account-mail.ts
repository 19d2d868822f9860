import type { Mail } from '../../mail/mailer.service.js';
import { html } from '../../pages/views/html.js';
import { programName } from '../sessions/program-name.js';

/** What happened to an account. */
interface Event {
  readonly subject: string;
  readonly what: string;
  /** Where its user can look and undo it. */
  readonly page: string;
  /** What the user can do there, if not the usual. */
  readonly advice?: string;
}

const ADVICE =
  'If that was you, ignore this message. Otherwise change your password, end the sessions and delete the API tokens that you do not know:';

const events = {
  'sign-in': {
    subject: 'New sign-in',
    what: 'Your account was used from a new network',
    page: '/settings/sessions',
  },
  'token-created': {
    subject: 'New API token',
    what: 'A new API token acts as you',
    page: '/settings/tokens',
  },
  'password-changed': {
    subject: 'Password changed',
    what: 'Your password was changed',
    page: '/settings/password',
  },
  'two-factor-enabled': {
    subject: 'Two-factor authentication switched on',
    what: 'An authenticator app was added to your account',
    page: '/settings/two-factor',
  },
  'two-factor-disabled': {
    subject: 'Two-factor authentication switched off',
    what: 'The authenticator app of your account was removed',
    page: '/settings/two-factor',
  },
  'recovery-codes-renewed': {
    subject: 'New recovery codes',
    what: 'Your recovery codes were replaced',
    page: '/settings/two-factor',
  },
  invitation: {
    subject: 'How to accept your invitation',
    what: 'A link of an invitation for you was used, and you have an account already',
    page: '/settings/invitations',
    advice: 'To answer the invitation, sign in with this account and open:',
  },
} as const satisfies Record<string, Event>;

export type AccountEvent = keyof typeof events;

/** One event, as the queue keeps it. Has no secret. */
export interface AccountNotice {
  readonly id: string;
  readonly userId: string;
  readonly event: AccountEvent;
  /** What it is about, such as the name of a token; `null`: nothing. */
  readonly name: string | null;
  /** ISO 8601. */
  readonly at: string;
  readonly address: string | null;
  readonly userAgent: string | null;
}

/**
 * The mail about an event. It has no secret, and its link requires a sign-in.
 *
 * @param publicUrl base URL of the pages
 */
export function accountMail(
  { id, event, name, at, address, userAgent }: AccountNotice,
  email: string,
  publicUrl: string,
): Mail {
  const { subject, what, page, advice = ADVICE }: Event = events[event];
  const link = `${publicUrl}${page}`;
  const sentence = name === null ? `${what}.` : `${what}: "${name}".`;
  const facts = [
    `Account: ${email}`,
    `Time: ${at.slice(0, 16).replace('T', ' ')} UTC`,
    `Address: ${address ?? 'unknown'}`,
    `Program: ${programName(userAgent)}`,
  ];
  const text = [sentence, '', ...facts, '', advice, link, ''].join('\n');
  const body = html`<p>${sentence}</p>
    <ul>
      ${facts.map((fact) => html`<li>${fact}</li>`)}
    </ul>
    <p>${advice} <a href="${link}">${link}</a></p>`;
  return { id, to: email, subject, text, html: body.text };
}
