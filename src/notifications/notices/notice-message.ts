import type { EventFacts, NoticeKind } from '../../events/event-definition.js';
import type { Mail } from '../../mail/mailer.service.js';
import { html } from '../../pages/views/html.js';
import { chatText } from '../formats/chat-text.js';
import { MAILS_OF_A_KIND, MAILS_PER_DAY } from './daily-limits.js';

/** What a mail about an event says. Names and facts may be written by users. */
export interface NoticeContent {
  /** Of the message. */
  readonly id: string;
  readonly email: string;
  readonly kind: NoticeKind;
  /** What happened, in a few words, such as `Rollout held`. */
  readonly title: string;
  /** When such events happen, in a sentence. */
  readonly description: string;
  readonly facts: EventFacts;
  readonly organizationName: string;
  /** `null`: about the organization itself. */
  readonly appName: string | null;
  /** Who caused it; `null`: no member of the organization. */
  readonly actorName: string | null;
  readonly at: Date;
  /** What to do, in a sentence. */
  readonly advice: string;
  /** Path of the request that shows what it is about. */
  readonly path: string;
  /** Path of the page that shows what it is about; `null`: there is none. */
  readonly page: string | null;
  /** How many earlier events of this kind about the same object had no mail. */
  readonly leftOut: number;
  /** Whether the user gets no other one of the kind about the organization on this day. */
  readonly isLast: boolean;
  readonly unsubscribeUrl: string;
}

/** Characters of a name in the subject. */
const MAX_IN_SUBJECT = 60;
/** Characters of a value. */
const MAX_VALUE = 500;

/**
 * The mail about an event. It has no secret but the link that switches such mails off: its page needs a sign-in, and its
 * request a token.
 *
 * @param publicUrl base URL of the API and of its pages
 */
export function noticeMessage(content: NoticeContent, publicUrl: string): Mail {
  const { id, email, title, description, advice, path, page, unsubscribeUrl } = content;
  const about = aboutOf(content);
  const facts = factsOf(content);
  const remarks = remarksOf(content);
  const request = `curl -H "Authorization: Bearer $CAPAWESOME_TOKEN" "${publicUrl}${path}"`;
  const address = page === null ? null : `${publicUrl}${page}`;
  const why = `You get this message because your notices about ${content.kind} are on.`;
  const text = [
    `${title}. ${description}`,
    '',
    ...facts.map(([label, value]) => `${label}: ${value}`),
    '',
    advice,
    ...(address === null ? [] : ['', address]),
    '',
    request,
    ...remarks.flatMap((remark) => ['', remark]),
    '',
    `${why} Switch them off:`,
    unsubscribeUrl,
    '',
  ].join('\n');
  const body = html`<p><strong>${title}.</strong> ${description}</p>
    <ul>
      ${facts.map(([label, value]) => html`<li>${label}: ${value}</li>`)}
    </ul>
    <p>${advice}</p>
    ${address === null ? '' : html`<p><a href="${address}">${address}</a></p>`}
    <pre>${request}</pre>
    ${remarks.map((remark) => html`<p>${remark}</p>`)}
    <p>
      <small>${why} <a href="${unsubscribeUrl}">Switch them off</a></small>
    </p>`;
  return { id, to: email, subject: `${title}: ${about}`, text, html: body.text, unsubscribeUrl };
}

/** Such as `Shop, production`: whether a person gets up may depend on the channel. */
function aboutOf({ appName, organizationName, facts }: NoticeContent): string {
  const where = facts['Channel'] ?? facts['Destination'] ?? null;
  const names = [appName ?? organizationName, ...(where === null ? [] : [String(where)])];
  return names.map((name) => shown(name, MAX_IN_SUBJECT)).join(', ');
}

/** Labels and values, each on one line. */
function factsOf({ facts, appName, organizationName, actorName, at }: NoticeContent): [string, string][] {
  const all: [string, string | number | null][] = [
    ['App', appName],
    ['Organization', organizationName],
    ...Object.entries(facts),
    ['By', actorName],
    ['Time', `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`],
  ];
  return all.flatMap(([label, value]) =>
    value === null ? [] : [[label, shown(String(value), MAX_VALUE)] as [string, string]],
  );
}

function remarksOf({ leftOut, isLast }: NoticeContent): string[] {
  const earlier = leftOut === 1 ? 'One earlier event' : `${leftOut} earlier events`;
  return [
    ...(leftOut === 0
      ? []
      : [`${earlier} of this kind about the same object had no message: there is at most one an hour.`]),
    ...(isLast
      ? [
          `This is the last message of this kind about this organization today: there are at most ${MAILS_OF_A_KIND} of a kind and ${MAILS_PER_DAY} in all in 24 hours.`,
        ]
      : []),
  ];
}

function shown(text: string, maxLength: number): string {
  return chatText(text, maxLength, (character) => character);
}
