import { IsBoolean, IsInt, IsOptional, IsUrl, Matches, Max, Min } from 'class-validator';
import { Env } from '../env.decorator.js';
import { IsHost, IsProxyTrust } from '../network.decorators.js';

/** Default of `SHUTDOWN_DELAY_SECONDS` behind a proxy: half of the 10 seconds after which `docker stop` kills a container. */
export const SHUTDOWN_DELAY_BEHIND_PROXY = 5;

/** Where the API listens and how clients reach it. */
export class HttpConfig {
  /**
   * Address to listen on.
   *
   * @values an address of this machine
   */
  @Env('HOST')
  @IsHost()
  host: string = '0.0.0.0';

  /**
   * TCP port to listen on.
   *
   * @values 0 to 65535; 0 selects any free port
   */
  @Env('PORT')
  @IsInt()
  @Min(0)
  @Max(65535)
  port: number = 3000;

  /**
   * TCP port of `HOST` for [metrics](metrics.md), different from `PORT`. Do not publish it.
   *
   * @default `0`: no metrics
   */
  @Env('METRICS_PORT')
  @IsInt()
  @Min(0)
  @Max(65535)
  metricsPort: number = 0;

  /**
   * Origin under which clients and devices reach the API. Slipway builds download URLs from it.
   *
   * @default the host of each request
   * @values an `http` or `https` origin without a path, such as `https://api.example.com`
   */
  @Env('PUBLIC_URL')
  @IsOptional()
  @IsUrl(
    { protocols: ['http', 'https'], require_protocol: true, require_tld: false },
    { message: '$property must be an http or https origin, such as https://api.example.com' },
  )
  @Matches(/^https?:\/\/[^/?#]+$/, {
    message: '$property must be an origin without a path, such as https://api.example.com',
  })
  publicUrl: string | null = null;

  /**
   * Origins besides `PUBLIC_URL` to which `GET /v1/ios-udid-profile` may lead devices with their
   * [UDID](build-shares.md#udids-of-devices).
   *
   * @default none
   * @values https origins without a path, separated by commas
   */
  @Env('UDID_CALLBACK_ORIGINS')
  @IsOptional()
  @Matches(/^https:\/\/[a-z0-9.:-]+(\s*,\s*https:\/\/[a-z0-9.:-]+)*$/, {
    message: '$property must be https origins in lower case without a path, separated by commas',
  })
  udidCallbackOrigins: string | null = null;

  /**
   * Proxies that may set the client's address, host and protocol with `X-Forwarded-*`.
   *
   * @values `false`, a number of hops such as `1`, or a list of addresses and networks such as `loopback,10.0.0.0/8`
   */
  @Env('TRUST_PROXY')
  @IsProxyTrust()
  trustProxy: string = 'false';

  /**
   * Header in which the proxy sends the client's country, for organizations with a `countryAllowlist` and for
   * counting devices by country. Trusted only from the proxies in `TRUST_PROXY`, so set that too.
   *
   * @default none: the country is unknown
   * @values the name of a header, such as `cf-ipcountry`
   */
  @Env('COUNTRY_HEADER')
  @IsOptional()
  @Matches(/^[A-Za-z0-9-]{1,100}$/, { message: '$property must be the name of a header' })
  countryHeader: string | null = null;

  /** Whether `/docs`, `/openapi`, `/docs-json` and `/docs-yaml` describe the API. */
  @Env('API_DOCS')
  @IsBoolean()
  docs: boolean = true;

  /**
   * Seconds for which idle connections stay open. It must be longer than your load balancer keeps its connections to
   * Slipway: 60 for nginx, 600 for the Application Load Balancers of Google Cloud.
   */
  @Env('KEEP_ALIVE_SECONDS')
  @IsInt()
  @Min(1)
  @Max(3600)
  keepAliveSeconds: number = 75;

  /**
   * Seconds between "not ready" and closing the listener at shutdown, so that load balancers that check
   * `/health/ready` notice. See [stopping](deployment.md#stopping-a-server).
   *
   * @default `5` with `TRUST_PROXY`, otherwise `0`
   * @values 0 to 300
   */
  @Env('SHUTDOWN_DELAY_SECONDS')
  @IsInt()
  @Min(0)
  @Max(300)
  shutdownDelaySeconds: number = 0;

  /**
   * Seconds for which requests in progress may go on at shutdown, after `SHUTDOWN_DELAY_SECONDS`. Then their connections
   * are closed. See [stopping](deployment.md#stopping-a-server).
   *
   * @values 1 to 86400
   */
  @Env('SHUTDOWN_TIMEOUT_SECONDS')
  @IsInt()
  @Min(1)
  @Max(86_400)
  shutdownTimeoutSeconds: number = 300;

  /**
   * Processes that serve on one port, for a machine with several cores: see
   * [several processes](performance.md#several-processes). Each has its own pool, cache and buffer. In Kubernetes, leave
   * it at 1 and set the number of pods.
   */
  @Env('WORKERS')
  @IsInt()
  @Min(1)
  @Max(64)
  workers: number = 1;
}
