import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import type { Destination } from '../destinations/destination.entity.js';
import { StoreKeysService } from '../store-keys/store-keys.service.js';
import { GooglePlayClient } from '../stores/google-play/google-play-client.js';
import { GoogleTokens } from '../stores/google-play/google-token.service.js';
import { StoreRefusal } from '../stores/refusals/refusal.js';
import type { StoreSession } from '../stores/store-calls/store-session.js';
import { StoreUnreachableError } from '../stores/store-calls/store-unreachable.error.js';
import type {
  DestinationCheckDto,
  DestinationCheckName,
  DestinationVerificationDto,
} from './destination-check.dto.js';

/** Every app has this track. */
const PRODUCTION = 'production';

/** Fields that a submission needs. */
const NEEDED = {
  androidPackageName: 'androidPackageName',
  googlePlayTrack: 'googlePlayTrack',
  googleKeyId: 'appGoogleServiceAccountKeyId',
} as const;

/** Asks Google what a destination is good for, without an edit: it disturbs no submission and no person. */
@Injectable()
export class GooglePlayChecks {
  private readonly baseUrl: string;

  constructor(
    config: Config,
    private readonly keys: StoreKeysService,
    private readonly tokens: GoogleTokens,
  ) {
    this.baseUrl = config.stores.googlePlayUrl;
  }

  /** @param session calls that are not recorded, and have little time, because a person waits */
  async verify(destination: Destination, session: StoreSession): Promise<DestinationVerificationDto> {
    const { appId, googleKeyId, androidPackageName: packageName, googlePlayTrack: track } = destination;
    const checks = [configurationOf(destination)];
    if (googleKeyId === null) return { ok: false, checks, accountEmail: null };
    const key = await this.keys.openGoogleKey(appId, googleKeyId);
    const isOk = async (...check: Parameters<typeof attempt>): Promise<boolean> => {
      const result = await attempt(...check);
      checks.push(result);
      return result.ok;
    };

    let token = '';
    const signIn = async (): Promise<void> => {
      token = await this.tokens.issue(session, key);
    };
    if ((await isOk('sign_in', SIGNED_IN, signIn)) && packageName !== null) {
      const client = new GooglePlayClient(session, this.baseUrl, token, packageName);
      const isVisible = await isOk('package', VISIBLE, () => client.releases(PRODUCTION));
      if (isVisible && track !== null) await isOk('track', HAS_TRACK, () => client.releases(track));
    }
    return { ok: checks.every(({ ok }) => ok), checks, accountEmail: key.clientEmail };
  }
}

const SIGNED_IN = 'Google accepts the key of the service account.';
const VISIBLE = 'The service account can see the app.';
const HAS_TRACK =
  'The app has the track. Whether the service account may release on it, only a submission shows.';

function configurationOf(destination: Destination): DestinationCheckDto {
  const missing = Object.entries(NEEDED).flatMap(([column, field]) =>
    destination[column as keyof typeof NEEDED] === null ? [field] : [],
  );
  const ok = missing.length === 0;
  const message = ok
    ? 'The destination has all fields that a submission needs.'
    : `Submissions need ${missing.join(', ')}: set ${missing.length === 1 ? 'it' : 'them'} at the destination.`;
  return { name: 'configuration', ok, message, storeMessage: null, link: null };
}

async function attempt(
  name: DestinationCheckName,
  said: string,
  work: () => Promise<unknown>,
): Promise<DestinationCheckDto> {
  try {
    await work();
    return { name, ok: true, message: said, storeMessage: null, link: null };
  } catch (error) {
    if (error instanceof StoreRefusal) {
      const { sentence, link = null } = error.refusal;
      return { name, ok: false, message: sentence, storeMessage: error.storeMessage, link };
    }
    if (!(error instanceof StoreUnreachableError)) throw error;
    const message = `The store did not answer: ${error.message} Try again later.`;
    return { name, ok: false, message, storeMessage: null, link: null };
  }
}
