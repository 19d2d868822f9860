import { failureNotice } from '../../pages/views/failure.js';
import { type Html, html } from '../../pages/views/html.js';
import { notice } from '../../pages/views/layout.js';
import type { PageContext } from './page-context.js';

const LISTED = 'This device is in the profile.';
const NOT_LISTED =
  'This device is not in the profile: iOS will refuse to install. Ask for a new build with a profile that has it.';
const INVALID = 'The address of this page has no valid UDID of a device, so nothing was checked.';

/** Offers to check the device that shows the page, on iPhones and iPads. */
export function deviceCheck({ url, device }: PageContext): Html | null {
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
export function deviceVerdict({ check }: PageContext): Html | null {
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
