import {
  IsBase64,
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  Max,
  Min,
} from 'class-validator';
import { Env } from './env.decorator.js';
import { IsSmtpUrl } from './smtp-url.js';
import { IsLicensePackages, type LicensePackage } from './license-packages.js';
import { DeviceConfig } from './device-config.js';
import { OrganizationConfig } from './organization-config.js';
import { OidcConfig, SignInConfig } from './sign-in-config.js';

/** `false`, `2`, or `loopback, 10.0.0.0/8`. Not `true`: then every client could choose its address. */
const proxies =
  /^(false|\d{1,3}|(loopback|linklocal|uniquelocal|[0-9A-Fa-f.:]+(\/\d{1,3})?)(, *(loopback|linklocal|uniquelocal|[0-9A-Fa-f.:]+(\/\d{1,3})?))*)$/;

/** Where the API listens and how clients reach it. */
export class HttpConfig {
  /**
   * Address to listen on.
   *
   * @values an address of this machine
   */
  @Env('HOST')
  @IsString()
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
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  @Matches(/^https?:\/\/[^/?#]+$/, { message: '$property must be an origin without a path' })
  publicUrl: string | null = null;

  /**
   * Proxies that may set the client's address, host and protocol with `X-Forwarded-*`.
   *
   * @values `false`, a number of hops such as `1`, or a list of addresses and networks such as `loopback,10.0.0.0/8`
   */
  @Env('TRUST_PROXY')
  @Matches(proxies, {
    message:
      '$property must be false, a number of hops such as 1, or a list of addresses and networks such as loopback,10.0.0.0/8',
  })
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

  /** Seconds between "not ready" and closing the listener at shutdown, so that load balancers notice. */
  @Env('SHUTDOWN_DELAY_SECONDS')
  @IsInt()
  @Min(0)
  @Max(300)
  shutdownDelaySeconds: number = 0;

  /**
   * Processes that serve on one port, for a machine with several cores. Each has its own pool, cache and buffer. In
   * Kubernetes, leave it at 1 and set the number of pods.
   */
  @Env('WORKERS')
  @IsInt()
  @Min(1)
  @Max(64)
  workers: number = 1;
}

/** The PostgreSQL database. */
export class DatabaseConfig {
  /**
   * URL of PostgreSQL, 15 or newer. If unset, Slipway starts and migrates an embedded PostgreSQL. If set, run
   * `slipway migrate` to migrate.
   *
   * @default none: embedded
   * @values `postgres://user:password@host:5432/name`
   */
  @Env('DATABASE_URL')
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\/.+/, { message: '$property must start with postgres://' })
  url: string | null = null;

  /**
   * Maximum number of pooled connections of one process. One more connection receives notifications. The sum over
   * all replicas must stay below `max_connections`.
   */
  @Env('DATABASE_POOL_SIZE')
  @IsInt()
  @Min(1)
  @Max(500)
  poolSize: number = 20;
}

/** Background jobs. */
export class QueueConfig {
  /**
   * Seconds between two polls for background work that another replica has sent, or that is due, such as a step of a
   * rollout plan.
   */
  @Env('QUEUE_POLL_SECONDS')
  @IsInt()
  @Min(1)
  @Max(60)
  pollSeconds: number = 5;
}

/** Where the bytes of bundles and artifacts are kept. */
export class StorageConfig {
  /** Where bundles and artifacts are stored. */
  @Env('STORAGE')
  @IsIn(['disk'])
  driver: string = 'disk';

  /**
   * Folder for disk storage, the embedded database and generated secrets.
   *
   * @values a path
   */
  @Env('DATA_DIR')
  @IsString()
  dataDir: string = '.slipway';

  /**
   * Days after which Slipway rereads each stored file in the background and compares it with its checksum. See
   * [operations](operations.md#checking-stored-files).
   *
   * @values 0 to 3650; 0 turns it off
   */
  @Env('SCRUB_INTERVAL_DAYS')
  @IsInt()
  @Min(0)
  @Max(3650)
  scrubIntervalDays: number = 30;

  /**
   * Maximum number of seconds that a publication spends on [compressing](bundles.md#compression) the files of a manifest
   * bundle before devices get it. Files that are left are compressed in the background. Stay below the timeouts of your
   * clients and proxies.
   *
   * @values 0 to 60, also fractions such as 0.5; 0: everything is compressed in the background
   */
  @Env('PUBLISH_COMPRESSION_SECONDS')
  @IsNumber()
  @Min(0)
  @Max(60)
  publishCompressionSeconds: number = 10;
}

/** How long unused data is kept. */
export class RetentionConfig {
  /**
   * Days between the time when [retention](retention.md) first finds that nothing needs a bundle or a stored file,
   * and its deletion. With 0, it is deleted at once, even during a download.
   */
  @Env('RETENTION_GRACE_DAYS')
  @IsInt()
  @Min(0)
  @Max(3650)
  graceDays: number = 7;

  /** Days for which an inactive device still counts: the bundle that it runs is kept. */
  @Env('RETENTION_DEVICE_DAYS')
  @IsInt()
  @Min(1)
  @Max(3650)
  deviceDays: number = 90;

  /** Days after which an inactive upload is deleted. */
  @Env('RETENTION_UPLOAD_DAYS')
  @IsInt()
  @Min(1)
  @Max(3650)
  uploadDays: number = 7;
}

/** Keys and first credentials. */
export class SecurityConfig {
  /**
   * 32 random bytes in Base64: `openssl rand -base64 32`. Signs download URLs and the forms of the pages, and
   * encrypts [secrets](security.md#credentials). Required if `DATABASE_URL` is set, and the same for all replicas.
   *
   * @default `DATA_DIR/encryption-key`
   * @values 44 characters of Base64
   */
  @Env('ENCRYPTION_KEY')
  @IsOptional()
  @IsBase64()
  @Matches(/^[A-Za-z0-9+/]{43}=$/, { message: '$property must be 32 bytes in Base64 (44 characters)' })
  encryptionKey: string | null = null;

  /**
   * Other keys that can still decrypt secrets while you change `ENCRYPTION_KEY`. They encrypt and sign nothing. See
   * [rotating the encryption key](operations.md#rotating-the-encryption-key).
   *
   * @values keys as above, separated by commas
   */
  @Env('ENCRYPTION_KEYS_OLD')
  @IsOptional()
  @Matches(/^[A-Za-z0-9+/]{43}=(\s*,\s*[A-Za-z0-9+/]{43}=)*$/, {
    message: '$property must be keys of 32 bytes in Base64 (44 characters each), separated by commas',
  })
  olderEncryptionKeys: string | null = null;

  /**
   * Email address of the first user, created together with an organization if there is no user yet. With
   * `DATABASE_URL`, the first user is created only if you set this and `BOOTSTRAP_TOKEN`.
   *
   * @default embedded: `admin@slipway.local`
   * @values an email address
   */
  @Env('BOOTSTRAP_EMAIL')
  @IsOptional()
  @IsEmail()
  bootstrapEmail: string | null = null;

  /**
   * API token of the first user.
   *
   * @default embedded: `DATA_DIR/token`
   * @values a token that `slipway token` prints
   */
  @Env('BOOTSTRAP_TOKEN')
  @IsOptional()
  @Matches(/^ca_[0-9a-f]{48}$/, { message: '$property must be an API token (slipway token)' })
  bootstrapToken: string | null = null;
}

/** Mail to people. */
export class MailConfig {
  /**
   * SMTP server for email to people, such as invitations. Without `smtps`, Slipway uses STARTTLS if the server
   * offers it; `?requireTLS=true` requires it. Needs `MAIL_FROM` and `PUBLIC_URL`.
   *
   * @default none: no email is sent
   * @values `smtp://user:password@host:587` or `smtps://user:password@host:465`, special characters
   *   percent-encoded
   */
  @Env('SMTP_URL')
  @IsOptional()
  @IsSmtpUrl()
  smtpUrl: string | null = null;

  /**
   * Sender of email.
   *
   * @values an address, or `Slipway <no-reply@example.com>`
   */
  @Env('MAIL_FROM')
  @IsOptional()
  @IsEmail(
    { allow_display_name: true, require_tld: false },
    { message: '$property must be an e-mail address, or a name and an address in angle brackets' },
  )
  from: string | null = null;
}

/** License keys of organizations. */
export class LicenseConfig {
  /**
   * Packages that license keys can give access to, for all organizations. If you remove a package, keys that have it
   * keep it.
   *
   * @default `[]`: none
   * @values a JSON array of `{"id": "<UUID>", "name": "@acme/camera", "displayName": "Camera"}`, with unique ids
   */
  @Env('LICENSE_PACKAGES')
  @IsLicensePackages()
  packages: LicensePackage[] = [];

  /**
   * Days for which the packages of a license key cannot change again after a change. Also applies to existing keys.
   *
   * @default `0`: no lock
   */
  @Env('LICENSE_KEY_LOCK_DAYS')
  @IsInt()
  @Min(0)
  @Max(3650)
  lockDays: number = 0;
}

/** Limits in calls a minute, for all replicas together. 0: no limit. */
export class RateLimitConfig {
  /**
   * Requests per minute of one API token or session, on all replicas together.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('RATE_LIMIT_TOKEN')
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  token: number = 6000;

  /**
   * Requests per minute without a valid token from one address, for IPv6 from one /64 network. Device requests are
   * not counted.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('RATE_LIMIT_ADDRESS')
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  address: number = 600;

  /**
   * Sign-in attempts per minute from one address. Programs that wait for a sign-in can poll 20 times as often.
   *
   * @values 0 to 1000000; 0: no limit
   */
  @Env('RATE_LIMIT_SIGN_IN')
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  signIn: number = 60;
}

/** Update checks of devices. */
export class UpdateCheckConfig {
  /**
   * Maximum size of the release cache of one process, in megabytes: about 3 kB per app. See [update
   * checks](update-checks.md#settings).
   */
  @Env('RELEASE_CACHE_MB')
  @IsInt()
  @Min(1)
  @Max(10_000)
  cacheMegabytes: number = 64;

  /**
   * Maximum number of check-ins that one process keeps until it writes them to the database, half a second later.
   */
  @Env('DEVICE_BUFFER_SIZE')
  @IsInt()
  @Min(1000)
  @Max(10_000_000)
  deviceBufferSize: number = 20_000;
}

/** Logs. */
export class LogConfig {
  /** Lowest level that is logged. */
  @Env('LOG_LEVEL')
  @IsIn(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
  level: string = 'info';

  /**
   * Human-readable lines instead of JSON.
   *
   * @default `true` in a terminal
   * @values `true`, `false`, `1`, `0`
   */
  @Env('LOG_PRETTY')
  @IsBoolean()
  pretty: boolean = Boolean(process.stdout.isTTY);
}

/** The configuration, read from the environment once at the start. */
export class Config {
  readonly http = new HttpConfig();
  readonly database = new DatabaseConfig();
  readonly queue = new QueueConfig();
  readonly storage = new StorageConfig();
  readonly retention = new RetentionConfig();
  readonly security = new SecurityConfig();
  readonly signIn = new SignInConfig();
  readonly oidc = new OidcConfig();
  readonly organizations = new OrganizationConfig();
  readonly mail = new MailConfig();
  readonly licenses = new LicenseConfig();
  readonly rateLimits = new RateLimitConfig();
  readonly updateChecks = new UpdateCheckConfig();
  readonly devices = new DeviceConfig();
  readonly log = new LogConfig();
}

/**
 * The key of the installation, 32 bytes in Base64.
 *
 * @throws Error when it is not set: secrets must never be sealed with an empty key
 */
export function encryptionKeyOf({ security }: Config): string {
  if (security.encryptionKey === null) throw new Error('ENCRYPTION_KEY is not set.');
  return security.encryptionKey;
}

/**
 * The key of the installation, which encrypts, then the others, which only decrypt.
 *
 * @throws Error as `encryptionKeyOf` does
 */
export function decryptionKeysOf(config: Config): string[] {
  const others = config.security.olderEncryptionKeys?.split(',').map((key) => key.trim());
  return [encryptionKeyOf(config), ...(others ?? [])];
}
