import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import type { Destination } from '../destinations/destination.entity.js';
import { StoreKeysService } from '../store-keys/store-keys.service.js';
import { GooglePlayClient } from '../google-play/api/google-play-client.js';
import { GoogleTokens } from '../google-play/api/google-token.service.js';
import type { StoreSession } from '../calls/store-session.js';
import {
  configurationCheck,
  failedBy,
  passed,
  type DestinationCheckDto,
  type DestinationCheckName,
  type DestinationVerificationDto,
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
    if (googleKeyId === null) return { ok: false, checks, accountEmail: null, apps: [] };
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
    return { ok: checks.every(({ ok }) => ok), checks, accountEmail: key.clientEmail, apps: [] };
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
  return configurationCheck(missing, 'The destination has all fields that a submission needs.');
}

async function attempt(
  name: DestinationCheckName,
  said: string,
  work: () => Promise<unknown>,
): Promise<DestinationCheckDto> {
  try {
    await work();
    return passed(name, said);
  } catch (error) {
    return failedBy(name, error);
  }
}
