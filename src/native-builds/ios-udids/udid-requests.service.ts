import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../common/database-clock.js';
import { InvalidRequestError, invalidField } from '../../common/errors/app-error.js';
import { deriveKey } from '../../common/secrets/derive-key.js';
import { Config, encryptionKeyOf } from '../../config/config.js';
import { CertificateReaderService } from '../certificate-readers/certificate-reader.service.js';
import { isCallback, withUdid } from './udid-callback.js';
import { openChallenge, signChallenge } from './udid-challenge.js';
import { makeUdidProfile } from './udid-profile.js';

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
    // The origins may have changed meanwhile.
    if (callbackUrl === null || !isCallback(callbackUrl, this.originsWith(origin))) {
      throw new InvalidRequestError('This request has expired: open the page again, and start from there.');
    }
    return withUdid(callbackUrl, read.udid);
  }

  private originsWith(own: string): readonly string[] {
    return [own, ...this.origins.filter((origin) => origin !== '')];
  }
}
