import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { transaction } from '../../database/transactions/transaction.js';
import { StoreKeysService } from '../store-keys/store-keys.service.js';
import { editKey, StoreTurns } from '../flow/store-turns.service.js';
import { GooglePlayClient } from '../google-play/api/google-play-client.js';
import { GoogleTokens } from '../google-play/api/google-token.service.js';
import { refused } from '../calls/refusals/refused.js';
import type { StoreSession } from '../calls/store-session.js';
import type { PlaySource } from './number-sources.js';
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
