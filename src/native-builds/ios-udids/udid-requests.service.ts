import { createHmac, timingSafeEqual, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { build } from 'plist';
import { databaseNow } from '../../common/database-clock.js';
import { InvalidRequestError, invalidField } from '../../common/errors/app-error.js';
import { deriveKey } from '../../common/secrets/derive-key.js';
import { Config, encryptionKeyOf } from '../../config/config.js';
import { CertificateReaderService } from '../certificate-readers/certificate-reader.service.js';

/** Printable characters of ASCII without space and backslash: what programs read in the same way. */
const PLAIN = /^[\x21-\x5b\x5d-\x7e]+$/;

const SEPARATOR = '.';

/** What a device sends back: where it is led, and until when. The server keeps nothing of it. */
interface UdidChallenge {
  readonly callbackUrl: string;
  /** In Unix milliseconds. */
  readonly expiresAt: number;
}

/** How long a device has to answer, in milliseconds. */
const ANSWERED_WITHIN = 15 * 60 * 1000;

/** Asks devices for their UDID, and leads them back to a page with it. UDIDs are neither stored nor logged. */
@Injectable()
export class UdidRequests {
  private readonly key: Buffer;
  private readonly origins: readonly string[];

  constructor(
    config: Config,
    private readonly reader: CertificateReaderService,
  ) {
    this.key = deriveKey(encryptionKeyOf(config), 'udid callbacks');
    this.origins = (config.http.udidCallbackOrigins ?? '').split(',').map((origin) => origin.trim());
  }

  /**
   * @param origin of this server
   * @throws InvalidRequestError for an address elsewhere
   */
  makeProfile(callbackUrl: string, origin: string): string {
    if (!isCallback(callbackUrl, this.originsWith(origin))) {
      throw invalidField(
        'callbackUrl',
        'callbackUrl must be an address of this server or of UDID_CALLBACK_ORIGINS, without a fragment.',
      );
    }
    const expiresAt = databaseNow(ANSWERED_WITHIN).getTime();
    return makeUdidProfile(origin, signChallenge(this.key, { callbackUrl, expiresAt }));
  }

  /**
   * Reads the answer of a device. Its signature is not verified: a forged answer leads only its sender somewhere.
   *
   * @param origin of this server
   * @returns the address that the device is led to
   * @throws InvalidRequestError when it is none, or answers no question of this server of the last minutes
   */
  async receive(body: Buffer, origin: string): Promise<string> {
    const read = await this.reader.readDeviceAttributes(body);
    if (read === null) throw new InvalidRequestError('The body must be the signed answer of a device.');
    const callbackUrl = openChallenge(this.key, read.challenge, databaseNow().getTime());
    // The origins may have changed in the meantime.
    if (callbackUrl === null || !isCallback(callbackUrl, this.originsWith(origin))) {
      throw new InvalidRequestError('This request has expired: open the page again, and start from there.');
    }
    return withUdid(callbackUrl, read.udid);
  }

  private originsWith(own: string): readonly string[] {
    return [own, ...this.origins.filter((origin) => origin !== '')];
  }
}

/**
 * Whether devices may be led to an address with their UDID: it begins with one of the origins as they are written, and has
 * neither a user nor a fragment.
 */
export function isCallback(text: string, origins: readonly string[]): boolean {
  if (!PLAIN.test(text) || text.includes('#')) return false;
  return origins.some((origin) => text.startsWith(`${origin}/`) && URL.parse(text)?.origin === origin);
}

/** The address with the UDID of a device. */
export function withUdid(callbackUrl: string, udid: string): string {
  const url = new URL(callbackUrl);
  url.searchParams.set('udid', udid);
  return url.href;
}

/** Signs where a device is led with its UDID. */
export function signChallenge(key: Buffer, { callbackUrl, expiresAt }: UdidChallenge): string {
  const content = Buffer.from(JSON.stringify([callbackUrl, expiresAt])).toString('base64url');
  return content + SEPARATOR + signatureOf(key, content);
}

/** @returns where the device is led; `null`: this server has not signed that, or too long ago */
export function openChallenge(key: Buffer, challenge: string, now: number): string | null {
  const [content = '', signature = '', ...rest] = challenge.split(SEPARATOR);
  const expected = Buffer.from(signatureOf(key, content));
  const actual = Buffer.from(signature);
  if (rest.length > 0 || actual.length !== expected.length || !timingSafeEqual(actual, expected)) return null;
  const [callbackUrl, expiresAt] = JSON.parse(Buffer.from(content, 'base64url').toString()) as [
    string,
    number,
  ];
  return now < expiresAt ? callbackUrl : null;
}

function signatureOf(key: Buffer, content: string): string {
  return createHmac('sha256', key).update(`udid-callback:${content}`).digest('base64url');
}

/**
 * The profile that asks a device for its UDID: a `Profile Service` as in Apple's "Over-the-Air Profile Delivery and
 * Configuration", "Profile Service Handlers". The device signs its answer and posts it to the address; nothing is installed.
 *
 * @param origin of this server
 * @param challenge that the device sends back
 */
function makeUdidProfile(origin: string, challenge: string): string {
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
