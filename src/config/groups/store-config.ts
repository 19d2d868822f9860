import { IsInt, IsOptional, IsUrl, Max, Min } from 'class-validator';
import { Env } from '../env.decorator.js';

const isBaseUrl = { require_tld: false, require_protocol: true, protocols: ['http', 'https'] };

/** App stores. */
export class StoreConfig {
  /** Address of the Google Play Developer API. */
  @Env('GOOGLE_PLAY_URL')
  @IsUrl(isBaseUrl)
  googlePlayUrl: string = 'https://androidpublisher.googleapis.com';

  /** Where keys of Google service accounts are exchanged for access tokens. */
  @Env('GOOGLE_TOKEN_URL')
  @IsUrl(isBaseUrl)
  googleTokenUrl: string = 'https://oauth2.googleapis.com/token';

  /**
   * Address of the HTTP proxy for all calls to stores, such as `http://proxy.example.com:3128`.
   *
   * @default none
   */
  @Env('STORE_PROXY_URL')
  @IsOptional()
  @IsUrl(isBaseUrl)
  proxyUrl: string | null = null;

  /**
   * Hours that a submission waits for another one of the same app, or for a person who has to finish one on the same track.
   * Then it fails.
   */
  @Env('SUBMISSION_WAIT_HOURS')
  @IsInt()
  @Min(1)
  @Max(720)
  waitHours: number = 24;
}
