import { randomUUID } from 'node:crypto';
import { build } from 'plist';

/**
 * The profile that asks a device for its UDID: a `Profile Service` as in Apple's "Over-the-Air Profile Delivery and
 * Configuration", "Profile Service Handlers". The device signs its answer and posts it to the address; nothing is installed.
 *
 * @param origin of this server
 * @param challenge that the device sends back
 */
export function makeUdidProfile(origin: string, challenge: string): string {
  return build({
    PayloadContent: {
      URL: `${origin}/v1/ios-udid-profile/receive`,
      DeviceAttributes: ['UDID', 'PRODUCT', 'VERSION'],
      Challenge: challenge,
    },
    PayloadOrganization: new URL(origin).host,
    PayloadDisplayName: 'Identify this device',
    PayloadDescription:
      'Shows the identifier (UDID) of this device to the page that asked for it. Installs nothing.',
    PayloadVersion: 1,
    PayloadUUID: randomUUID(),
    PayloadIdentifier: 'slipway.identify-device',
    PayloadType: 'Profile Service',
  });
}
