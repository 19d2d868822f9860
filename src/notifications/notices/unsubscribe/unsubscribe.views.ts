import type { NoticeKind } from '../../../events/event-definition.js';
import { html } from '../../../pages/views/html.js';
import type { Page } from '../../../pages/views/page.js';
import { UNSUBSCRIBE_PATH } from './unsubscribe-token.js';

const about: Readonly<Record<NoticeKind, string>> = {
  approvals: 'deployments that wait for your approval, and decisions about yours',
  health: 'rollouts that go wrong, and other things that need a look',
  webhooks: 'webhooks that were disabled',
};

/** Requests of these pages do not carry their address, which holds the token. */
const headers = { 'Referrer-Policy': 'no-referrer' };

/** Asks before anything changes: programs that check mails for danger follow links, but press no buttons. */
export function askPage(kind: NoticeKind, token: string): Page {
  const body = html`<h1>Stop these emails?</h1>
    <p>You get emails about ${about[kind]}.</p>
    <form method="post" action="${UNSUBSCRIBE_PATH}?token=${token}">
      <button>Stop these emails</button>
    </form>`;
  return { title: 'Stop these emails?', body, headers };
}

/** What has changed, and how to undo it. */
export function donePage(kind: NoticeKind): Page {
  const body = html`<h1>You get no more of these emails</h1>
    <p>Slipway sends you no more emails about ${about[kind]}.</p>
    <p class="muted">
      To get them again, send <code>PATCH /v1/users/me/notices</code> with <code>{"${kind}": true}</code>.
    </p>`;
  return { title: 'You get no more of these emails', body, headers };
}

/** Explains what to do without the link. */
export function invalidPage(): Page {
  const body = html`<h1>This link does not work</h1>
    <p>
      Copy the whole link from the email. If it still does not work, send
      <code>PATCH /v1/users/me/notices</code> with your token.
    </p>`;
  return { title: 'This link does not work', body, status: 404, headers };
}
