import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { transaction } from '../../database/transactions/transaction.js';
import { AppStoreConnect } from '../app-store-connect/api/app-store-connect-client.js';
import type { AppleApp } from '../app-store-connect/api/apple-resources.js';
import { refused } from '../calls/refusals/refusal.js';
import type { StoreSession } from '../calls/store-session.js';
import { editKey, StoreTurns } from '../flow/store-turns.service.js';
import { GooglePlayClient } from '../google-play/api/google-play-client.js';
import { GoogleTokens } from '../google-play/api/google-token.service.js';
import { StoreKeysService } from '../store-keys/store-keys.service.js';
import type { AppleSource, PlaySource } from './number-sources.js';
import type { AppVersionCodes } from './version-codes.js';

/** Longer than the few calls take, each of at most `REQUEST_PATIENCE_MS`. */
const RESERVED_SECONDS = 150;
/** When to look again whether it is the turn. */
const TURN_SECONDS = 5;

/**
 * The version codes that Google Play has for an app: on all tracks, and of all files that were uploaded. That needs an edit,
 * which is discarded, and so the turn of submissions of the same service account for the app.
 */
@Injectable()
export class PlayVersionCodes {
  private readonly logger = new Logger(PlayVersionCodes.name);

  constructor(
    private readonly keys: StoreKeysService,
    private readonly tokens: GoogleTokens,
    private readonly turns: StoreTurns,
    private readonly config: Config,
  ) {}

  /**
   * Calls Google: never inside a transaction.
   *
   * @param session whose calls take `REQUEST_PATIENCE_MS` at most
   * @throws StoreRefusal also when it is not its turn
   * @throws StoreUnreachableError
   * @throws NotFoundError when the key was deleted
   */
  async list(
    { appId, googleKeyId, packageName }: PlaySource,
    session: StoreSession,
  ): Promise<AppVersionCodes> {
    const key = await this.keys.openGoogleKey(appId, googleKeyId);
    const token = await this.tokens.issue(session, key);
    const turn = editKey(key.clientEmail, packageName);
    const reservedUntil = await transaction(() => this.turns.reserve(turn, RESERVED_SECONDS));
    if (reservedUntil === null) throw taken();
    try {
      return await this.inEdit({ token, packageName }, session);
    } finally {
      await transaction(() => this.turns.endReservation(turn, reservedUntil));
    }
  }

  private async inEdit(
    { token, packageName }: { readonly token: string; readonly packageName: string },
    session: StoreSession,
  ): Promise<AppVersionCodes> {
    const baseUrl = this.config.stores.googlePlayUrl;
    const client = new GooglePlayClient(session, baseUrl, token, packageName);
    const { id } = await client.insertEdit();
    try {
      const tracks = await client.allTracks(id);
      const releases = tracks.flatMap((one) =>
        one.releases.map(({ versionCodes }) => ({ track: one.track, versionCodes })),
      );
      const files = [...(await client.artifacts(id, 'aab')), ...(await client.artifacts(id, 'apk'))];
      return { releases, files: files.map(({ versionCode }) => versionCode) };
    } finally {
      // It has changed nothing, and expires.
      await client.deleteEdit(id).catch((err: unknown) => {
        this.logger.log({ err }, 'Google Play keeps an edit in which version codes were read');
      });
    }
  }
}

function taken(): Error {
  return refused(
    'edit_taken',
    'A submission or another build uses the edit of the app, and Google Play takes one at a time. Slipway tries again. If that goes on, wait until the submission has ended, then start the build again.',
    { retry: 'again', afterSeconds: TURN_SECONDS },
  );
}

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
