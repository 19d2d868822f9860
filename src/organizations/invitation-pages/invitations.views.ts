import { type Html, html } from '../../pages/views/html.js';
import { postForm } from '../../pages/views/layout.js';
import type { Page, SignedInVisit } from '../../pages/views/page.js';
import { showTime } from '../../pages/views/times.js';
import { UNVERIFIED } from './join.views.js';
import type { ReceivedInvitation } from '../invitations/invitation.dto.js';

/** What the visitor can accept or decline now. */
export function invitationsPage(visit: SignedInVisit, received: readonly ReceivedInvitation[]): Page {
  const list = html`<ul class="list">
    ${received.map((one) => item(visit, one))}
  </ul>`;
  const body = html`<h1>Invitations</h1>
    <p class="muted">Organizations that invite ${visit.email}.</p>
    ${received.length === 0 ? html`<p>There is none that can be accepted.</p>` : list}`;
  return { title: 'Invitations', body, navigation: true };
}

/** Explains why the visitor cannot accept invitations. */
export function unverifiedPage(visit: SignedInVisit): Page {
  const body = html`<h1>Invitations</h1>
    <p class="muted">Organizations that invite ${visit.email}.</p>
    <p>${UNVERIFIED}</p>`;
  return { title: 'Invitations', body, navigation: true };
}

function item(visit: SignedInVisit, { invitation, organizationName }: ReceivedInvitation): Html {
  const id = html`<input type="hidden" name="id" value="${invitation.id}" />`;
  return html`<li>
    <div>
      <strong>${organizationName}</strong>
      <span class="hint">as ${invitation.role} · until ${showTime(invitation.expiresAt)}</span>
    </div>
    ${postForm(visit, '/settings/invitations/accept', html`${id}<button class="small">Accept</button>`)}
    ${postForm(visit, '/settings/invitations/reject', html`${id}<button class="danger small">Decline</button>`)}
  </li>`;
}
