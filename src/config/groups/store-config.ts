import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { Env } from '../env.decorator.js';
import { IsApiUrl, IsHostSuffixes, IsProxyUrl } from '../store-urls.js';

/** App stores. */
export class StoreConfig {
  /**
   * Address of the Google Play Developer API. Access tokens go only to it.
   *
   * @values an address such as `https://play.corp.example.com`, also a private one or `http`
   */
  @Env('GOOGLE_PLAY_URL')
  @IsApiUrl()
  googlePlayUrl: string = 'https://androidpublisher.googleapis.com';

  /**
   * Where keys of Google service accounts are exchanged for access tokens.
   *
   * @values an address, as for `GOOGLE_PLAY_URL`
   */
  @Env('GOOGLE_TOKEN_URL')
  @IsApiUrl()
  googleTokenUrl: string = 'https://oauth2.googleapis.com/token';

  /**
   * Address of the App Store Connect API. Tokens go only to it.
   *
   * @values an address, as for `GOOGLE_PLAY_URL`
   */
  @Env('APP_STORE_CONNECT_URL')
  @IsApiUrl()
  appStoreConnectUrl: string = 'https://api.appstoreconnect.apple.com';

  /**
   * HTTP proxy for all calls to stores, and to `STORE_UPLOAD_HOSTS`. It resolves their names. See
   * [outbound calls](security.md#calls-of-stores).
   *
   * @default none
   * @values such as `http://proxy.example.com:3128`, with `user:password@` in front of the host if it needs them
   */
  @Env('STORE_PROXY_URL', { secret: true })
  @IsOptional()
  @IsProxyUrl()
  proxyUrl: string | null = null;

  /**
   * Hosts to which stores may send uploads when calls go through `STORE_PROXY_URL`, besides those of the stores themselves.
   *
   * @values a list of names such as `apple.com,googleapis.com`: each means the host, and all hosts below it
   */
  @Env('STORE_UPLOAD_HOSTS')
  @IsHostSuffixes()
  uploadHosts: string = 'apple.com,googleapis.com';

  /**
   * Hours that a submission waits for another one of the same app, or for a person who has to finish one on the same track.
   * Then it fails; a deployment that was not approved by then is rejected.
   */
  @Env('SUBMISSION_WAIT_HOURS')
  @IsInt()
  @Min(1)
  @Max(720)
  waitHours: number = 24;

  /**
   * Seconds between two times that Slipway asks a store where a release is, in the first day of its status. Later, it asks
   * less often: see [releases in stores](store-releases.md#where-a-release-is).
   */
  @Env('RELEASE_WATCH_SECONDS')
  @IsInt()
  @Min(1)
  @Max(86_400)
  releaseWatchSeconds: number = 300;
}
