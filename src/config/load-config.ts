import { getMetadataStorage, validateSync } from 'class-validator';
import { Config } from './config.js';
import { SHUTDOWN_DELAY_BEHIND_PROXY } from './groups/http-config.js';
import { type EnvVariable, envVariablesOf } from './env.decorator.js';

/** Variables that had another name before, by that name. */
const RENAMED: Readonly<Record<string, string>> = {
  RETENTION_DEVICE_DAYS: 'ACTIVE_DEVICE_DAYS',
  RETENTION_GRACE_DAYS: 'DELETION_GRACE_DAYS',
  RETENTION_UPLOAD_DAYS: 'UPLOAD_RETENTION_DAYS',
};

/** The environment holds values that Slipway cannot start with; one sentence per variable in `problems`. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
  }
}

/**
 * Reads and validates the configuration.
 *
 * @param env environment variables; unset and empty ones keep their defaults
 * @throws ConfigError with one line per wrong variable
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const config = new Config();
  const problems = Object.values(config).flatMap((section: object) => readSection(section, env));
  if (config.http.trustProxy !== 'false' && (env['SHUTDOWN_DELAY_SECONDS'] ?? '').trim() === '') {
    config.http.shutdownDelaySeconds = SHUTDOWN_DELAY_BEHIND_PROXY;
  }
  if (config.database.url !== null && config.security.encryptionKey === null) {
    problems.push('ENCRYPTION_KEY is required when DATABASE_URL is set: 32 random bytes in Base64.');
  }
  if (config.runners.builtIn && config.database.url !== null) {
    problems.push(
      'RUNNER needs the embedded database: with DATABASE_URL, run "slipway runner" on another machine instead.',
    );
  }
  if (config.http.countryHeader !== null && config.http.trustProxy === 'false') {
    problems.push(
      'COUNTRY_HEADER needs TRUST_PROXY: without a trusted proxy, clients could send any country.',
    );
  }
  if (config.http.metricsPort !== 0 && config.http.metricsPort === config.http.port) {
    problems.push('METRICS_PORT must differ from PORT: metrics are not public.');
  }
  problems.push(
    ...renamedProblems(env),
    ...signInProblems(config),
    ...bootstrapProblems(config),
    ...storageProblems(config),
    ...redirectProblems(config),
  );
  if ((config.mail.smtpUrl === null) !== (config.mail.from === null)) {
    problems.push('SMTP_URL and MAIL_FROM must be set together.');
  }
  if (config.mail.smtpUrl !== null && config.http.publicUrl === null) {
    problems.push('SMTP_URL needs PUBLIC_URL for the links in mail.');
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** An old name would have no effect, and data would be deleted earlier or later than the operator believes. */
function renamedProblems(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(RENAMED).flatMap(([before, now]) =>
    (env[before] ?? '').trim() === '' ? [] : [`${before} is now ${now}: rename it.`],
  );
}

/** Contradictions between the sign-in methods. */
function signInProblems({ signIn, oidc }: Config): string[] {
  const problems: string[] = [];
  if (oidc.issuer !== null && oidc.clientId === null) {
    problems.push('OIDC_CLIENT_ID is required when OIDC_ISSUER is set.');
  }
  if (oidc.issuer === null && (oidc.clientId !== null || oidc.clientSecret !== null)) {
    const name = oidc.clientId === null ? 'OIDC_CLIENT_SECRET' : 'OIDC_CLIENT_ID';
    problems.push(
      `${name} has no effect without OIDC_ISSUER, such as OIDC_ISSUER=https://login.example.com.`,
    );
  }
  if (oidc.issuer === null && !signIn.local) {
    problems.push('LOCAL_SIGN_IN can be false only when OIDC_ISSUER is set: otherwise no one can sign in.');
  }
  return problems;
}

/** With the embedded database, each of the two has a default. */
function bootstrapProblems({ database, security }: Config): string[] {
  const isOneMissing = (security.bootstrapEmail === null) !== (security.bootstrapToken === null);
  if (database.url === null || !isOneMissing) return [];
  return ['BOOTSTRAP_EMAIL and BOOTSTRAP_TOKEN belong together: set both.'];
}

/** What the configured storages lack. */
function storageProblems({ storage, s3 }: Config): string[] {
  const { driver, fallback } = storage;
  if (fallback === driver) return ['STORAGE_FALLBACK must differ from STORAGE.'];
  if (driver !== 's3' && fallback !== 's3') return [];
  const setting = driver === 's3' ? 'STORAGE' : 'STORAGE_FALLBACK';
  const required = { S3_BUCKET: s3.bucket, S3_REGION: s3.region };
  const problems = Object.entries(required)
    .filter(([, value]) => value === null)
    .map(([name]) => `${name} is required when ${setting} is s3.`);
  if ((s3.accessKeyId === null) !== (s3.secretAccessKey === null)) {
    problems.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together.');
  }
  return problems;
}

/** What redirects to the object storage lack. */
function redirectProblems({ storage, s3, http }: Config): string[] {
  const { redirects, endpoint, publicEndpoint, cdnUrl } = s3;
  if (!redirects) return [];
  if (storage.driver !== 's3') return ['DOWNLOAD_REDIRECTS needs STORAGE=s3.'];
  const targets = {
    [publicEndpoint === null ? 'S3_ENDPOINT' : 'S3_PUBLIC_ENDPOINT']: publicEndpoint ?? endpoint,
  };
  const isSecure = http.publicUrl?.startsWith('https:') === true;
  return Object.entries({ ...targets, DOWNLOAD_CDN_URL: cdnUrl }).flatMap(([name, value]) =>
    isSecure && value?.startsWith('http:') === true
      ? [
          `${name} must be an https address with DOWNLOAD_REDIRECTS, because PUBLIC_URL is one: devices refuse others.`,
        ]
      : [],
  );
}

function readSection(section: object, env: Readonly<Record<string, string | undefined>>): string[] {
  const variables = envVariablesOf(section);
  for (const [property, variable] of variables) {
    const text = env[variable.name]?.trim();
    if (text !== undefined && text !== '') Reflect.set(section, property, convert(text, variable));
  }
  return validateSync(section).map((error) => {
    const name = variables.get(error.property)?.name ?? error.property;
    // The first decorator of a property, usually its type, comes last.
    const reason = Object.values(error.constraints ?? {}).at(-1) ?? 'is invalid';
    return `${acceptedForm(section, error.property) ?? reason}.`.replaceAll(error.property, name);
  });
}

/** What a number, a switch or one of a few texts must be; `undefined`: the decorator of the property says it. */
function acceptedForm(section: object, property: string): string | undefined {
  const rules = getMetadataStorage()
    .getTargetValidationMetadatas(section.constructor, '', true, false)
    .filter((rule) => rule.propertyName === property);
  const find = (name: string) => rules.find((rule) => rule.name === name);
  const [min, max] = ['min', 'max'].map((name) => (find(name)?.constraints as unknown[] | undefined)?.[0]);
  const values = (find('isIn')?.constraints as string[][] | undefined)?.[0];
  if (find('isBoolean')) return `${property} must be true or false`;
  if (values !== undefined)
    return `${property} must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`;
  if (min === undefined) return undefined;
  const kind = find('isInt') ? 'whole number' : 'number';
  return `${property} must be a ${kind} from ${String(min)} to ${String(max)}`;
}

/** Keeps text that does not convert, so that validation reports it. */
function convert(text: string, { type }: EnvVariable): unknown {
  if (type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (type === 'boolean')
    return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text;
  return type === 'json' ? parsed(text) : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
