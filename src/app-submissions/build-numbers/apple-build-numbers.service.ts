import { Injectable } from '@nestjs/common';
import { StoreKeysService } from '../store-keys/store-keys.service.js';
import { AppStoreConnect } from '../app-store-connect/api/app-store-connect-client.js';
import type { AppleApp } from '../app-store-connect/api/apple-resources.js';
import { refused } from '../calls/refusals/refused.js';
import type { StoreSession } from '../calls/store-session.js';
import type { AppleSource } from './number-sources.js';

/** The build numbers of one app. */
export interface AppleNumbers {
  readonly bundleId: string;
  /** As Apple has them, such as `42` and `1.0.3`, in any order. */
  readonly buildNumbers: readonly string[];
}

/** The build numbers that App Store Connect has for an app: of its builds, and of uploads that are not builds yet. */
@Injectable()
export class AppleBuildNumbers {
  constructor(
    private readonly keys: StoreKeysService,
    private readonly connect: AppStoreConnect,
  ) {}

  /**
   * Calls Apple: never inside a transaction.
   *
   * @throws StoreRefusal @throws StoreUnreachableError
   * @throws NotFoundError when the key was deleted
   */
  async list(source: AppleSource, session: StoreSession): Promise<AppleNumbers> {
    const { appId, apiKeyId: keyId, issuerId, appleAppId, bundleId } = source;
    const privateKeyPem = await this.keys.openAppleKey(appId, source.keyFileId);
    const client = this.connect.clientOf(session, { keyId, issuerId, privateKeyPem });
    const app =
      appleAppId === null ? (await client.appsByBundleId(bundleId ?? ''))[0] : await client.app(appleAppId);
    if (app === undefined) throw unknownApp(bundleId ?? '');
    if (bundleId !== null && app.bundleId !== bundleId) throw otherApp(app, bundleId);
    return { bundleId: app.bundleId, buildNumbers: await client.buildNumbers(app.id, 'ios') };
  }
}

function unknownApp(bundleId: string): Error {
  return refused(
    'apple_app_not_found',
    `The key of App Store Connect sees no app with the bundle id ${bundleId}. Check packageName of the configuration and the key of the destination, then start the build again.`,
  );
}

function otherApp({ id, bundleId }: AppleApp, wanted: string): Error {
  return refused(
    'bundle_id_differs',
    `The app ${id} of the destination has the bundle id ${bundleId}, and the configuration says ${wanted}. Correct one of them, then start the build again.`,
  );
}
