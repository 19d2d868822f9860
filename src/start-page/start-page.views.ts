import { type Html, html } from '../pages/views/html.js';
import { notice } from '../pages/views/layout.js';
import type { Page } from '../pages/views/page.js';
import { DOCS_PATH } from '../pages/views/site-map.js';
import { showTime } from '../pages/views/times.js';
import { firstAppSteps, updateSteps } from './first-update.views.js';
import type { ChannelRow } from './start-page.queries.js';
import type { AppOverview, Overview } from './start-page.service.js';

/** What the page says about the server. */
interface Server {
  /** Under which the visitor reaches it. */
  readonly origin: string;
  /** Whether it serves Swagger UI and the OpenAPI document. */
  readonly hasDocs: boolean;
}

/** The newest apps, how to publish an update, and what else is here. */
export function startPage(server: Server, overview: Overview): Page {
  const { apps, lacksSecondFactor } = overview;
  const [newest] = apps;
  const body = html`${
    lacksSecondFactor
      ? notice(
          'bad',
          html`An organization of yours requires two-factor authentication.
            <a href="/settings/two-factor">Set it up</a> to see its apps.`,
        )
      : null
  }
  ${
    newest === undefined
      ? welcome(server, overview)
      : html`<h1>Apps</h1>
          ${appList(apps, newest.total)}`
  }
  ${newest?.canPublish ? publish(server, newest) : null} ${links(server)}`;
  return { title: 'Start', body, navigation: true };
}

function welcome({ origin }: Server, { createIn, isMember, lacksSecondFactor }: Overview): Html {
  const text =
    createIn !== null
      ? html`<p>
            Publish your first live update with the official command-line tool: a few commands to copy.
          </p>
          ${firstAppSteps(origin, createIn)}`
      : isMember
        ? html`<p>You have no apps yet. An owner or admin of your organization can give you access.</p>`
        : html`<p>
            You are not a member of an organization yet. Check your
            <a href="/settings/invitations">invitations</a>.
          </p>`;
  return html`<h1>Welcome to Slipway</h1>
    ${createIn === null && lacksSecondFactor ? null : text}`;
}

function appList(apps: readonly AppOverview[], total: number): Html {
  return html`<ul class="apps">
      ${apps.map(appItem)}
    </ul>
    ${
      total > apps.length
        ? html`<p class="muted">
            The ${apps.length} newest of ${total} apps. The API and the command-line tool list all of them.
          </p>`
        : null
    }`;
}

function appItem({ id, name, organizationName, channels }: AppOverview): Html {
  const more = (channels[0]?.total ?? 0) - channels.length;
  return html`<li>
    <h2>${name}</h2>
    <p class="hint">${organizationName}</p>
    <code class="copy">${id}</code>
    <dl>${channels.map(channelItem)}</dl>
    ${more > 0 ? html`<p class="hint">and ${more} more ${more === 1 ? 'channel' : 'channels'}</p>` : null}
  </li>`;
}

function channelItem({ name, paused, buildNumber, rolloutPercentage, deployedAt }: ChannelRow): Html {
  const share = Math.round((rolloutPercentage ?? 1) * 1000) / 10;
  return html`<div>
    <dt>${name} ${paused ? html`<span class="tag warn">paused</span>` : null}</dt>
    <dd>
      ${
        deployedAt === null
          ? html`<span class="hint">Nothing deployed</span>`
          : html`Build ${buildNumber}${share < 100 ? ` for ${share}% of devices` : null}
              <span class="hint">${showTime(deployedAt)}</span>`
      }
    </dd>
  </div>`;
}

/** Open until something is deployed, then folded. */
function publish({ origin }: Server, app: AppOverview): Html {
  const isNew = app.channels.every(({ deployedAt }) => deployedAt === null);
  return html`<details ${isNew ? html`open` : null}>
    <summary><h2>Publish an update of ${app.name}</h2></summary>
    ${updateSteps(origin, app)}
  </details>`;
}

function links({ origin, hasDocs }: Server): Html {
  return html`<h2>This server</h2>
    <p class="label">Address of the API</p>
    <code class="copy">${origin}/v1</code>
    <ul class="links">
      ${
        hasDocs
          ? html`${link(DOCS_PATH, 'Swagger UI', 'Read about every endpoint and try it out.')}
            ${link('/openapi', 'OpenAPI document', 'Generate a client.')}`
          : null
      }
      ${link('/settings/tokens', 'API tokens', 'For build servers and scripts.')}
      ${link('/settings/sessions', 'Sessions', 'Browsers and programs that are signed in as you.')}
      ${link('/login/device', 'Sign in a device', 'Enter the code that the command-line tool shows.')}
    </ul>`;
}

function link(href: string, name: string, text: string): Html {
  return html`<li><a href="${href}">${name}</a> <span class="hint">${text}</span></li>`;
}
