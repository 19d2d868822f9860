import type { Session } from './session.entity.js';
import { type Html, html } from '../../pages/views/html.js';
import { postForm } from '../../pages/views/layout.js';
import { programName } from './program-name.js';
import type { Page, SignedInVisit } from '../../pages/views/page.js';
import { showTime } from '../../pages/views/times.js';

/**
 * The sessions of the visitor.
 *
 * @param provider the name of the OpenID provider; `null`: there is none now
 */
export function sessionsPage(
  visit: SignedInVisit,
  sessions: readonly Session[],
  provider: string | null,
): Page {
  const body = html`<h1>Sessions</h1>
    <p class="muted">
      Browsers and programs that are signed in as you. They end by themselves after 30 days without use.
    </p>
    <ul class="list">
      ${sessions.map((session) => item(visit, session, provider))}
    </ul>`;
  return { title: 'Sessions', body, navigation: true };
}

function item(visit: SignedInVisit, session: Session, provider: string | null): Html {
  const current = session.id === visit.sessionId;
  return html`<li>
    <div>
      <strong>${programName(session.userAgent)}</strong>
      ${current ? html`<span class="tag">this browser</span>` : null}
      <span class="hint"
        >${session.address} · last used ${showTime(session.lastUsedAt)} ·
        ${howSignedIn(session, provider)}</span
      >
    </div>
    ${
      current
        ? null
        : postForm(
            visit,
            '/settings/sessions/delete',
            html`<input type="hidden" name="id" value="${session.id}" />
              <button class="danger small">Sign out</button>`,
          )
    }
  </li>`;
}

function howSignedIn({ method, secondFactorAt }: Session, provider: string | null): string {
  const how = method === 'password' ? 'a password' : (provider ?? 'single sign-on');
  return `signed in with ${how}${secondFactorAt === null ? '' : ' and a second factor'}`;
}
