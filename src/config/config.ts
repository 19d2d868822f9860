import {
  IsBase64,
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
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
import { OidcConfig, SignInConfig } from './sign-in-config.js';

/** `false`, `2`, or `loopback, 10.0.0.0/8`. */
const proxies =
  /^(true|false|\d{1,3}|(loopback|linklocal|uniquelocal|[0-9A-Fa-f.:]+(\/\d{1,3})?)(, *(loopback|linklocal|uniquelocal|[0-9A-Fa-f.:]+(\/\d{1,3})?))*)$/;

/** Where the API listens and how clients reach it. */
export class HttpConfig {
  /** Address to listen on. */
  @Env('HOST')
  @IsString()
  host: string = '0.0.0.0';

  /** TCP port, 0 to 65535; 0 takes any free port. */
  @Env('PORT')
  @IsInt()
  @Min(0)
  @Max(65535)
  port: number = 3000;

  /** TCP port of `/metrics` for Prometheus, separate from the API, 0 to 65535; 0: no metrics. */
  @Env('METRICS_PORT')
  @IsInt()
  @Min(0)
  @Max(65535)
  metricsPort: number = 0;

  /**
   * Origin under which clients and devices reach the API, without a path, such as `https://api.example.com`.
   * Download addresses are built from it. When unset, the host of each request is used.
   */
  @Env('PUBLIC_URL')
  @IsOptional()
  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  @Matches(/^https?:\/\/[^/?#]+$/, { message: '$property must be an origin without a path' })
  publicUrl: string | null = null;

  /**
   * Proxies whose `X-Forwarded-*` headers are trusted: `false`, a number of hops, or a comma-separated list of addresses and networks (`loopback`, `10.0.0.0/8`).
   */
  @Env('TRUST_PROXY')
  @Matches(proxies, { message: '$property must be true, false, a number of hops, or a list of addresses' })
  trustProxy: string = 'false';

  /**
   * Header in which the proxy sends the client's country (ISO 3166-1 alpha-2), such as `cf-ipcountry`. Only proxies of
   * `TRUST_PROXY` are trusted with it. Country allowlists of organizations need it.
   */
  @Env('COUNTRY_HEADER')
  @IsOptional()
  @Matches(/^[A-Za-z0-9-]{1,100}$/, { message: '$property must be the name of a header' })
  countryHeader: string | null = null;

  /** Seconds between "not ready" and closing the listener at shutdown, 0 to 300, for load balancers to notice. */
  @Env('SHUTDOWN_DELAY_SECONDS')
  @IsInt()
  @Min(0)
  @Max(300)
  shutdownDelaySeconds: number = 0;

  /**
   * Processes that serve on one port, 1 to 64: for a machine of its own with several cores. In Kubernetes leave it at 1
   * and set the number of pods.
   */
  @Env('WORKERS')
  @IsInt()
  @Min(1)
  @Max(64)
  workers: number = 1;
}

/** The PostgreSQL database. */
export class DatabaseConfig {
  /** PostgreSQL address (`postgres://user:password@host:5432/name`). When unset, an embedded PostgreSQL is started. */
  @Env('DATABASE_URL')
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\/.+/, { message: '$property must start with postgres://' })
  url: string | null = null;

  /** Connections that one process keeps at most, 1 to 500. Replicas × this must stay below `max_connections`. */
  @Env('DATABASE_POOL_SIZE')
  @IsInt()
  @Min(1)
  @Max(500)
  poolSize: number = 20;
}

/** Background jobs. */
export class QueueConfig {
  /**
   * Seconds between two polls for jobs that another replica has sent, or that are due, 1 to 60. A poll is one query for
   * each of the few queues.
   */
  @Env('QUEUE_POLL_SECONDS')
  @IsInt()
  @Min(1)
  @Max(60)
  pollSeconds: number = 5;
}

/** Where the bytes of bundles and artifacts are kept. */
export class StorageConfig {
  /** Storage driver. */
  @Env('STORAGE')
  @IsIn(['disk'])
  driver: string = 'disk';

  /** Folder for disk storage, the embedded database and generated secrets. */
  @Env('DATA_DIR')
  @IsString()
  dataDir: string = '.slipway';

  /** Days after which each stored file is read again in the background and compared with its checksum, 0 to 3650; 0: never. */
  @Env('SCRUB_INTERVAL_DAYS')
  @IsInt()
  @Min(0)
  @Max(3650)
  scrubIntervalDays: number = 30;
}

/** How long unused data is kept. */
export class RetentionConfig {
  /** Days from finding a bundle or a stored file unused to deleting it, 0 to 3650. */
  @Env('RETENTION_GRACE_DAYS')
  @IsInt()
  @Min(0)
  @Max(3650)
  graceDays: number = 7;

  /** Days without a check-in after which the bundle that a device runs counts as unused, 1 to 3650. */
  @Env('RETENTION_DEVICE_DAYS')
  @IsInt()
  @Min(1)
  @Max(3650)
  deviceDays: number = 90;

  /** Days after which an upload without progress is deleted, 1 to 3650. */
  @Env('RETENTION_UPLOAD_DAYS')
  @IsInt()
  @Min(1)
  @Max(3650)
  uploadDays: number = 7;
}

/** Keys and first credentials. */
export class SecurityConfig {
  /** 32 random bytes in Base64. Signs download addresses and forms, and encrypts secrets. Required with `DATABASE_URL`, else generated. */
  @Env('ENCRYPTION_KEY')
  @IsOptional()
  @IsBase64()
  @Matches(/^[A-Za-z0-9+/]{43}=$/, { message: '$property must be 32 bytes in Base64 (44 characters)' })
  encryptionKey: string | null = null;

  /** Other keys that still decrypt secrets, comma-separated, while `ENCRYPTION_KEY` is being changed; they never encrypt or sign. */
  @Env('ENCRYPTION_KEYS_OLD')
  @IsOptional()
  @Matches(/^[A-Za-z0-9+/]{43}=(\s*,\s*[A-Za-z0-9+/]{43}=)*$/, {
    message: '$property must be keys of 32 bytes in Base64 (44 characters each), separated by commas',
  })
  olderEncryptionKeys: string | null = null;

  /** E-mail address of the first user, created when there is no user yet. */
  @Env('BOOTSTRAP_EMAIL')
  @IsOptional()
  @IsEmail()
  bootstrapEmail: string | null = null;

  /** API token of the first user, in the form that `slipway token` prints (`ca_…`). */
  @Env('BOOTSTRAP_TOKEN')
  @IsOptional()
  @Matches(/^ca_[0-9a-f]{48}$/, { message: '$property must be an API token (slipway token)' })
  bootstrapToken: string | null = null;
}

/** Mail to people. */
export class MailConfig {
  /** SMTP server (`smtp://user:password@host:587`, `smtps://…:465`). When unset, no mail is sent. */
  @Env('SMTP_URL')
  @IsOptional()
  @IsSmtpUrl()
  smtpUrl: string | null = null;

  /** Sender of mail: an address, or `Name <address>`. */
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
  /** Packages that license keys can give access to: a JSON array of `{"id": "<UUID>", "name": "…", "displayName": "…"}`. */
  @Env('LICENSE_PACKAGES')
  @IsLicensePackages()
  packages: LicensePackage[] = [];

  /** Days for which the packages of a license key cannot be changed again, 0 to 3650; 0: no lock. */
  @Env('LICENSE_KEY_LOCK_DAYS')
  @IsInt()
  @Min(0)
  @Max(3650)
  lockDays: number = 0;
}

/** Limits in calls a minute, for all replicas together. 0: no limit. */
export class RateLimitConfig {
  /** Calls of one API token or session, 0 to 1000000. */
  @Env('RATE_LIMIT_TOKEN')
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  token: number = 6000;

  /** Calls without a valid token from one address (of IPv6 one /64 network), 0 to 1000000. */
  @Env('RATE_LIMIT_ADDRESS')
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  address: number = 600;

  /** Attempts to sign in from one address, 0 to 1000000. */
  @Env('RATE_LIMIT_SIGN_IN')
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  signIn: number = 60;
}

/** Update checks of devices. */
export class UpdateCheckConfig {
  /** Megabytes of release tables that one process caches, 1 to 10000; about 3 kB for an app. */
  @Env('RELEASE_CACHE_MB')
  @IsInt()
  @Min(1)
  @Max(10_000)
  cacheMegabytes: number = 64;

  /** Check-ins that one process buffers at most before it writes them to the database, 1000 to 10000000. */
  @Env('DEVICE_BUFFER_SIZE')
  @IsInt()
  @Min(1000)
  @Max(10_000_000)
  deviceBufferSize: number = 20_000;
}

/** Logs. */
export class LogConfig {
  /** Least severe level that is logged. */
  @Env('LOG_LEVEL')
  @IsIn(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
  level: string = 'info';

  /** Readable lines instead of JSON; by default when the output is a terminal. */
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
  readonly mail = new MailConfig();
  readonly licenses = new LicenseConfig();
  readonly rateLimits = new RateLimitConfig();
  readonly updateChecks = new UpdateCheckConfig();
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
