import { HttpConfig } from './groups/http-config.js';
import { DatabaseConfig } from './groups/database-config.js';
import { QueueConfig } from './groups/queue-config.js';
import { S3Config } from './groups/s3-config.js';
import { StoreConfig } from './groups/store-config.js';
import { StorageConfig } from './groups/storage-config.js';
import { RetentionConfig } from './groups/retention-config.js';
import { RunnerConfig } from './groups/runner-config.js';
import { SecurityConfig } from './groups/security-config.js';
import { OutboundConfig } from './groups/outbound-config.js';
import { OrganizationConfig } from './groups/organization-config.js';
import { LimitConfig } from './groups/limit-config.js';
import { MailConfig } from './groups/mail-config.js';
import { LicenseConfig } from './groups/license-config.js';
import { RateLimitConfig } from './groups/rate-limit-config.js';
import { UpdateCheckConfig } from './groups/update-check-config.js';
import { DeviceConfig } from './groups/device-config.js';
import { EventConfig } from './groups/event-config.js';
import { JobConfig } from './groups/job-config.js';
import { InstallationConfig } from './groups/installation-config.js';
import { LogConfig } from './groups/log-config.js';
import { OidcConfig, SignInConfig } from './groups/sign-in-config.js';

/** The configuration, read from the environment once at the start. */
export class Config {
  readonly http = new HttpConfig();
  readonly database = new DatabaseConfig();
  readonly queue = new QueueConfig();
  readonly storage = new StorageConfig();
  readonly s3 = new S3Config();
  readonly retention = new RetentionConfig();
  readonly security = new SecurityConfig();
  readonly outbound = new OutboundConfig();
  readonly signIn = new SignInConfig();
  readonly oidc = new OidcConfig();
  readonly organizations = new OrganizationConfig();
  readonly limits = new LimitConfig();
  readonly mail = new MailConfig();
  readonly licenses = new LicenseConfig();
  readonly runners = new RunnerConfig();
  readonly rateLimits = new RateLimitConfig();
  readonly updateChecks = new UpdateCheckConfig();
  readonly devices = new DeviceConfig();
  readonly jobs = new JobConfig();
  readonly events = new EventConfig();
  readonly stores = new StoreConfig();
  readonly log = new LogConfig();
  readonly installation = new InstallationConfig();
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
