import { type Html, html } from '../../pages/views/html.js';
import { notice } from '../../pages/views/layout.js';
import { showTime } from '../../pages/views/times.js';
import type { ArtifactDetails, StoredSigner } from '../artifact-details/artifact-details.entity.js';
import { checkableIpaOf } from '../shared-builds/device-checks.service.js';
import { type Installability, installabilityOf, installAddressOf } from '../shared-builds/ios-install.js';
import type { ShareAddresses } from '../shared-builds/share-addresses.service.js';
import type { SharedArtifact, SharedBuild } from '../shared-builds/shared-builds.service.js';
import { failureNotice } from '../../pages/views/failure.js';
import type { PageContext, VisitorDevice } from './page-context.js';

const LISTED = 'This device is in the profile.';
const NOT_LISTED =
  'This device is not in the profile: iOS will refuse to install. Ask for a new build with a profile that has it.';
const INVALID = 'The address of this page has no valid UDID of a device, so nothing was checked.';

/** Why an ipa is not installed from the page. */
const REFUSALS: Readonly<Record<Exclude<Installability, 'here' | 'expired'>, string>> = {
  store:
    'This app for iOS is signed for the App Store, so it cannot be installed from here. Upload it to App Store Connect: testers can install it with TestFlight.',
  unsigned:
    'This app for iOS has no provisioning profile, so it cannot be installed. It must be signed for testing first.',
  elsewhere: 'This app is not for iPhones and iPads, so it cannot be installed from here.',
  unread:
    'What this app for iOS is signed for is not known: download the file and install it with a computer.',
};
const INSECURE = 'Devices of Apple install apps from a page only if its address begins with https.';

/** Installs an ipa, or says why that does not work. */
export function iosInstall(
  shared: SharedBuild,
  file: SharedArtifact,
  addresses: ShareAddresses,
  at: PageContext,
): Html {
  const { artifact, details } = file;
  const { url, device, now } = at;
  const installability = installabilityOf(details, now);
  if (installability === 'expired') return notice('bad', expired(details?.signer ?? null));
  if (installability !== 'here') return notice('info', REFUSALS[installability]);
  if (details === null) return notice('info', REFUSALS.unread);
  const { origin, protocol } = new URL(url);
  if (protocol !== 'https:') return notice('info', INSECURE);
  const address = installAddressOf(addresses.signedPathOf(artifact.id), origin, details, shared.app.name);
  const isChecked = checkableIpaOf(shared, now) === file;
  return html`${isChecked ? deviceVerdict(at) : null}
  ${device === 'other' ? notice('info', OTHER) : button(address, device)} ${devices(details)}
  ${isChecked ? deviceCheck(at) : null} ${help(details)}`;
}

const OTHER =
  'To install this app, open this page on the iPhone or iPad, in Safari. The code below has its address.';

function button(address: string, device: VisitorDevice): Html {
  return html`<p>
      <a class="button main" href="${address}">Install on this ${device === 'ios' ? 'device' : 'iPad'}</a>
    </p>
    ${device === 'ios' ? null : html`<p class="muted">On a Mac, open this page on the iPhone or iPad instead: the code below has its address.</p>`}
    <p class="muted">
      The button works for 15 minutes. After that, open this page again. The app then appears on the Home
      Screen.
    </p>`;
}

function expired(signer: StoredSigner | null): string {
  const since =
    signer?.expiresAt === null || signer?.expiresAt === undefined
      ? ''
      : ` on ${showTime(new Date(signer.expiresAt))}`;
  return `The provisioning profile of this app expired${since}: devices do not install it any more, and it no longer opens. Ask for a build with a newer profile.`;
}

/** Which devices the app is for. */
function devices({ signer }: ArtifactDetails): Html | null {
  if (signer?.profileType === 'enterprise') {
    return html`<p>The app is for the devices of the organization that signed it.</p>`;
  }
  const count = signer?.deviceCount ?? null;
  const many = count === 1 ? 'the one device' : `the ${count} devices`;
  return html`<p>
    iOS installs this app only on ${count === null ? 'the devices' : many} in its provisioning profile.
  </p>`;
}

/** What to do when a device refuses. */
function help({ signer }: ArtifactDetails): Html {
  const type = signer?.profileType ?? null;
  const unknown = html`<li>
    <strong>“Unable to Install”, or the integrity could not be verified:</strong> this device is not in the
    provisioning profile. Send its UDID to the person who shared the app: Finder on a Mac, or the app Apple
    Devices on Windows, shows it when the device is connected. A new build is needed after that.
  </li>`;
  const trust = html`<li>
    <strong>“Untrusted Enterprise Developer”:</strong> open Settings, General, VPN &amp; Device Management,
    and trust the developer. From iOS 18, the device restarts.
  </li>`;
  const developer = html`<li>
    <strong>“Developer Mode Required”:</strong> open Settings, Privacy &amp; Security, Developer Mode, turn it
    on and restart the device. iOS 16 and later ask for it, because the app is signed for development.
  </li>`;
  return html`<details>
    <summary>If the app does not install or open</summary>
    <ul>
      ${type === 'enterprise' ? trust : unknown} ${type === 'development' ? developer : null}
      <li>
        <strong>Nothing happens, or “Cannot connect”:</strong> open this page again, in Safari, and try once
        more. The device must trust the certificate of this server.
      </li>
    </ul>
  </details>`;
}

/** Offers to check the device that shows the page, on iPhones and iPads. */
function deviceCheck({ url, device }: PageContext): Html | null {
  const ask = `/v1/ios-udid-profile?callbackUrl=${encodeURIComponent(url)}`;
  if (device === 'other') return null;
  return html`<p><a class="button" href="${ask}">Check whether this device is in the profile</a></p>
    <p class="muted">
      Safari downloads a configuration profile that asks this device for its identifier (UDID). Allow it, open
      Settings, Profile Downloaded, and tap Install: the device opens this page again, with the answer. It
      installs nothing, and this server does not keep the identifier.
    </p>`;
}

/** Says whether the device that was led here is in the profile. */
function deviceVerdict({ check }: PageContext): Html | null {
  switch (check.result) {
    case 'listed':
      return notice('good', LISTED);
    case 'not-listed':
      return notice('bad', NOT_LISTED);
    case 'invalid':
      return notice('bad', INVALID);
    case 'too-many':
      return failureNotice(check);
    case 'none':
      return null;
  }
}
