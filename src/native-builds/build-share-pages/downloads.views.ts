import { type Html, html } from '../../pages/views/html.js';
import { notice } from '../../pages/views/layout.js';
import type { ShareAddresses } from '../shared-builds/share-addresses.service.js';
import type { SharedArtifact, SharedBuild } from '../shared-builds/shared-builds.service.js';
import { iosInstall } from './ios-install.views.js';
import type { PageContext } from './page-context.js';

const WEB = 'This is a web build. It comes to devices as a live update: there is nothing to install here.';
const DELETED = 'The files of this build were deleted.';
const AAB =
  'An Android App Bundle (aab) cannot be installed on a device. It is for stores: upload it to Google Play.';
const SIMULATOR =
  'This build is for the iOS simulator, which runs on the computers of developers. No iPhone or iPad can install it.';
const INSECURE =
  'This page is not encrypted, so browsers may refuse downloads from it. Ask the operator of this server to set up https.';

/**
 * The downloads of a shared build, and in words what cannot be installed.
 *
 * @param addresses of its files
 * @param at where the page is shown
 */
export function downloadsOf(shared: SharedBuild, addresses: ShareAddresses, at: PageContext): Html {
  const { build, artifacts } = shared;
  if (build.platform === 'web') return notice('info', WEB);
  if (build.platform === 'ios' && build.type === 'simulator') return notice('info', SIMULATOR);
  if (artifacts.length === 0) return notice('info', DELETED);
  return html`${isInsecure(at.url) ? notice('bad', INSECURE) : null}
  ${artifacts.map((file) => downloadOf(shared, file, addresses, at))}
  ${
    addresses.expireAt === null
      ? null
      : html`<p class="muted">The downloads work for 15 minutes. After that, open this page again.</p>`
  }`;
}

function downloadOf(
  shared: SharedBuild,
  file: SharedArtifact,
  addresses: ShareAddresses,
  at: PageContext,
): Html {
  const { artifact } = file;
  const href = addresses.pathOf(artifact.id);
  const text = html`${nameOf(file, shared.artifacts)}${sizeOf(artifact.fileSizeInBytes)}`;
  const link = (isMain: boolean): Html =>
    html`<p><a class="button ${isMain ? 'main' : null}" href="${href}" download>${text}</a></p>`;
  switch (artifact.type) {
    case 'apk':
      return link(true);
    case 'aab':
      return html`${notice('info', AAB)} ${link(false)}`;
    default:
      return html`${iosInstall(shared, file, addresses, at)} ${link(false)}`;
  }
}

const NAMES: Readonly<Record<string, string>> = {
  apk: 'Download for Android',
  aab: 'Download the aab',
  ipa: 'Download the ipa',
};

/** What the button says. With several files of a type, the name of the file tells them apart. */
function nameOf({ artifact }: SharedArtifact, all: readonly SharedArtifact[]): string {
  const name = NAMES[artifact.type] ?? 'Download';
  const alike = all.filter((other) => other.artifact.type === artifact.type);
  return alike.length === 1 ? name : `${name}: ${artifact.fileName ?? artifact.id}`;
}

function sizeOf(bytes: number | null): string {
  if (bytes === null) return '';
  const megabytes = bytes / 1_000_000;
  return ` (${megabytes < 0.1 ? '0.1' : megabytes.toFixed(megabytes < 100 ? 1 : 0)}\u00a0MB)`;
}

/** Browsers treat the own machine as encrypted. */
function isInsecure(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
