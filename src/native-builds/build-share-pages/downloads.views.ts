import { type Html, html, type HtmlValue } from '../../pages/views/html.js';
import { notice } from '../../pages/views/layout.js';
import type { ShareAddresses } from '../shared-builds/share-addresses.service.js';
import type { SharedArtifact, SharedBuild } from '../shared-builds/shared-builds.service.js';

const WEB = 'This is a web build. It comes to devices as a live update: there is nothing to install here.';
const DELETED = 'The files of this build were deleted.';
const AAB =
  'An Android App Bundle (aab) cannot be installed on a device. It is for stores: upload it to Google Play.';
const APP_STORE =
  'This app for iOS is signed for the App Store, so it cannot be installed from here: upload it to App Store Connect.';
const IOS =
  'Apps for iOS cannot be installed from this page yet: download the file and install it with a computer.';
const INSECURE =
  'This page is not encrypted, so browsers may refuse downloads from it, and devices of Apple install nothing from it. Ask the operator of this server to set up https.';

/**
 * The downloads of a shared build, and in words what cannot be installed.
 *
 * @param url of the page
 */
export function downloadsOf({ build, artifacts }: SharedBuild, addresses: ShareAddresses, url: string): Html {
  if (build.platform === 'web') return notice('info', WEB);
  if (artifacts.length === 0) return notice('info', DELETED);
  return html`${isInsecure(url) ? notice('bad', INSECURE) : null}
  ${artifacts.map((file) => downloadOf(file, addresses, nameOf(file, artifacts)))}
  ${
    addresses.expireAt === null
      ? null
      : html`<p class="muted">The downloads work for 15 minutes. After that, open this page again.</p>`
  }`;
}

function downloadOf({ artifact, details }: SharedArtifact, addresses: ShareAddresses, name: string): Html {
  const href = addresses.pathOf(artifact.id);
  const size = sizeOf(artifact.fileSizeInBytes);
  const link = (isMain: boolean, text: HtmlValue): Html =>
    html`<p><a class="button ${isMain ? 'main' : null}" href="${href}" download>${text}${size}</a></p>`;
  switch (artifact.type) {
    case 'apk':
      return link(true, name);
    case 'aab':
      return html`${notice('info', AAB)} ${link(false, name)}`;
    default:
      return html`${notice('info', details?.signer?.profileType === 'app-store' ? APP_STORE : IOS)}
      ${link(false, name)}`;
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
