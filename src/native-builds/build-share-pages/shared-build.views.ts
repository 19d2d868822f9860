import { renderSVG } from 'uqr';
import { Html, html, type HtmlValue } from '../../pages/views/html.js';
import { statusOf } from '../../pages/views/failure.js';
import { isSignedIn, type Page, type Visit } from '../../pages/views/page.js';
import { showTime } from '../../pages/views/times.js';
import { ICON, type ShareAddresses } from '../shared-builds/share-addresses.service.js';
import { iconOf, type SharedArtifact, type SharedBuild } from '../shared-builds/shared-builds.service.js';
import { downloadsOf } from './downloads.views.js';
import { ORIGIN_ONLY, type PageContext } from './page-context.js';

/**
 * The page of a shared build.
 *
 * @param addresses of its files
 * @param at where it is shown; its QR code has the address
 */
export function sharedBuildPage(
  visit: Visit,
  shared: SharedBuild,
  addresses: ShareAddresses,
  at: PageContext,
): Page {
  const { app, build, share } = shared;
  const body = html`${heading(shared, addresses)} ${description(share.description)}
  ${downloadsOf(shared, addresses, at)} ${build.platform === 'web' ? null : facts(shared)}
  ${qrCode(at.url, share.passwordHash !== null)}`;
  return { title: app.name, body, ...responseFor(visit, at) };
}

/**
 * Signing out is a form, for which the browser must send the origin of the page: with a UDID in the address of the page, no
 * more than that.
 */
function responseFor(visit: Visit, { check }: PageContext): Pick<Page, 'status' | 'headers'> {
  const { status = 200, headers } = check.result === 'too-many' ? statusOf(check) : {};
  const signedIn = check.result === 'none' ? 'same-origin' : ORIGIN_ONLY;
  return {
    status,
    headers: { ...headers, 'Referrer-Policy': isSignedIn(visit) ? signedIn : 'no-referrer' },
  };
}

function heading(shared: SharedBuild, addresses: ShareAddresses): Html {
  const { app, build } = shared;
  const icon = html`<img class="app-icon" src="${addresses.pathOf(ICON)}" alt="" width="64" height="64" />`;
  const name = build.displayName === app.name ? null : build.displayName;
  return html`<div class="app-heading">
    ${iconOf(shared) === null ? null : icon}
    <div>
      <h1><bdi>${app.name}</bdi></h1>
      ${name === null ? null : html`<p class="muted"><bdi>${name}</bdi></p>`}
    </div>
  </div>`;
}

/** Plain text, whatever it contains. */
function description(text: string | null): Html | null {
  return text === null || text.trim() === '' ? null : html`<p class="text" dir="auto">${text}</p>`;
}

function facts({ share, build, artifacts }: SharedBuild): Html {
  const [file] = artifacts;
  const rows: readonly [string, HtmlValue][] = [
    ['Version', versionOf(build.packageVersion, file)],
    ['Build', build.type === null ? `${build.number}` : `${build.number} (${build.type})`],
    ['Platform', PLATFORMS[build.platform]],
    ['Requires', requirementOf(file)],
    ['This page works until', share.expiresAt === null ? null : showTime(share.expiresAt)],
  ];
  return html`<dl>
    ${rows
      .filter(([, value]) => value !== null)
      .map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd><bdi>${value}</bdi></dd>
          </div>`,
      )}
  </dl>`;
}

const PLATFORMS = { android: 'Android', ios: 'iOS', web: 'Web' } as const;

function versionOf(stated: string | null, file: SharedArtifact | undefined): string | null {
  const name = stated ?? file?.details?.versionName ?? null;
  const code = file?.details?.versionCode ?? null;
  if (name === null || code === null || name === code) return name ?? code;
  return `${name} (${code})`;
}

function requirementOf(file: SharedArtifact | undefined): string | null {
  const { minOsVersion = null, minSdkVersion = null } = file?.details ?? {};
  if (minOsVersion !== null) return `iOS ${minOsVersion}`;
  return minSdkVersion === null ? null : `Android API level ${minSdkVersion}`;
}

const WHO = {
  all: 'Everyone who has the address of this page can open it.',
  withPassword: 'Everyone who has the address of this page and its password can open it.',
} as const;

function qrCode(url: string, hasPassword: boolean): Html {
  return html`<h2>On another device</h2>
    <p>Scan this code to open this page there.</p>
    <div class="qr" role="img" aria-label="QR code with the address of this page">
      ${new Html(renderSVG(url, { border: 2 }))}
    </div>
    <p class="muted">${WHO[hasPassword ? 'withPassword' : 'all']}</p>`;
}
