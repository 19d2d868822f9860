import 'reflect-metadata';
import { generateApiToken } from '../common/access/api-token.js';
import { ConfigError, loadConfig } from './load-config.js';

const key = Buffer.alloc(32, 1).toString('base64');

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('loadConfig', () => {
  it('needs nothing', () => {
    const config = loadConfig({});
    expect(config.http).toMatchObject({ port: 3000, publicUrl: null, trustProxy: 'false' });
    expect(config.database).toMatchObject({ url: null, poolSize: 20 });
    expect(config.storage).toMatchObject({ driver: 'disk', dataDir: '.slipway' });
    expect(config.security).toMatchObject({
      encryptionKey: null,
      bootstrapEmail: null,
      bootstrapToken: null,
    });
    expect(config.rateLimits).toEqual({ token: 6000, address: 600, signIn: 60 });
    expect(config.log.level).toBe('info');
  });

  it('reads every kind of value', () => {
    const token = generateApiToken();
    const config = loadConfig({
      PORT: '8080',
      HOST: '127.0.0.1',
      PUBLIC_URL: 'https://api.example.com',
      DATABASE_URL: 'postgres://slipway:secret@db:5432/slipway',
      DATABASE_POOL_SIZE: '50',
      ENCRYPTION_KEY: key,
      BOOTSTRAP_EMAIL: 'ada@example.com',
      BOOTSTRAP_TOKEN: token,
      LOG_PRETTY: 'true',
    });
    expect(config.http).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      publicUrl: 'https://api.example.com',
    });
    expect(config.database).toMatchObject({ url: 'postgres://slipway:secret@db:5432/slipway', poolSize: 50 });
    expect(config.security).toMatchObject({ encryptionKey: key, bootstrapToken: token });
    expect(config.log.pretty).toBe(true);
  });

  it('takes empty values and spaces for unset', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: ' ', PUBLIC_URL: '' }).http.port).toBe(3000);
    expect(loadConfig({ PORT: ' 8080 ' }).http.port).toBe(8080);
    expect(loadConfig({ LOG_PRETTY: '0' }).log.pretty).toBe(false);
  });

  it.each([
    ['PORT', 'http'],
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['METRICS_PORT', 'secret'],
    ['METRICS_PORT', '65536'],
    ['METRICS_PORT', '3000'],
    ['PUBLIC_URL', 'api.example.com'],
    ['PUBLIC_URL', 'ftp://api.example.com'],
    ['PUBLIC_URL', 'https://api.example.com/slipway'],
    ['PUBLIC_URL', 'https://api.example.com/'],
    ['SHUTDOWN_DELAY_SECONDS', '301'],
    ['DATABASE_POOL_SIZE', '0'],
    ['QUEUE_POLL_SECONDS', '0'],
    ['STORAGE', 'tape'],
    ['S3_ENDPOINT', 's3.example.com'],
    ['S3_ENDPOINT', 'ftp://s3.example.com'],
    ['S3_ENDPOINT', 'https://s3.example.com/secret'],
    ['S3_ENDPOINT', 'https://key:secret@s3.example.com'],
    ['S3_REGION', 'eu central'],
    ['S3_BUCKET', 'My_Secret'],
    ['S3_BUCKET', 'x'],
    ['S3_PREFIX', '/secret'],
    ['S3_PREFIX', 'secret/../other'],
    ['S3_PREFIX', 'sécret'],
    ['S3_PREFIX', 'x'.repeat(201)],
    ['S3_FORCE_PATH_STYLE', 'perhaps'],
    ['ENCRYPTION_KEY', 'secret'],
    ['ENCRYPTION_KEY', Buffer.alloc(16).toString('base64')],
    ['BOOTSTRAP_EMAIL', 'ada'],
    ['BOOTSTRAP_TOKEN', 'ca_secret'],
    ['LICENSE_PACKAGES', 'secret'],
    ['LICENSE_PACKAGES', '{}'],
    ['LICENSE_PACKAGES', '[null]'],
    ['LICENSE_PACKAGES', '[{"id":"secret","name":"secret","displayName":"secret"}]'],
    ['LICENSE_KEY_LOCK_DAYS', '-1'],
    ['RATE_LIMIT_TOKEN', '-1'],
    ['RATE_LIMIT_ADDRESS', 'none'],
    ['RATE_LIMIT_SIGN_IN', '1000001'],
    ['LOCAL_SIGN_IN', 'perhaps'],
    ['LOCAL_SIGN_IN', 'false'],
    ['OIDC_ISSUER', 'login.example.com'],
    ['OIDC_ISSUER', 'http://login.example.com'],
    ['OIDC_ISSUER', 'http://127.0.0.1.example.com'],
    ['OIDC_ISSUER', 'http://localhost.example.com'],
    ['OIDC_ISSUER', 'https://login.example.com/?tenant=secret'],
    ['OIDC_ISSUER', 'https://user:secret@login.example.com'],
    ['OIDC_ISSUER', 'file:///etc/passwd'],
    ['OIDC_SCOPES', 'email profile'],
    ['OIDC_NAME', 'x'.repeat(51)],
    ['OIDC_TRUST_EMAIL', 'perhaps'],
    ['OIDC_TRUST_SECOND_FACTOR', 'perhaps'],
    ['OIDC_GROUP_ROLES', 'secret'],
    ['OIDC_GROUP_ROLES', '[{"group":"secret"}]'],
    ['LOG_LEVEL', 'loud'],
    ['LOG_PRETTY', 'perhaps'],
  ])('refuses %s=%s with one line that names it and does not repeat the value', (name, value) => {
    const problems = problemsOf({
      ...(name.startsWith('OIDC_') ? { OIDC_CLIENT_ID: 'slipway' } : {}),
      [name]: value,
    });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name} .+\\.$`));
    expect(problems[0]).not.toContain('secret');
  });

  it('reads the packages of license keys, each complete and once', () => {
    const packages = [
      { id: '0199b0c2-7c1e-7bd3-a3c1-4c29f4a7d8aa', name: '@acme/camera', displayName: 'Camera' },
      { id: '0199b0c2-7c1e-7bd3-a3c1-4c29f4a7d8ab', name: '@acme/maps', displayName: 'Maps' },
    ];
    const [camera, maps] = packages;
    const env = (value: unknown): Record<string, string> => ({ LICENSE_PACKAGES: JSON.stringify(value) });
    expect(loadConfig(env(packages)).licenses).toEqual({ packages, lockDays: 0 });
    expect(loadConfig({}).licenses.packages).toEqual([]);
    for (const [wrong, what] of [
      [[camera, { ...maps, id: 5 }], 'id is a UUID'],
      [[camera, { ...maps, name: ' ' }], 'name is a text'],
      [[camera, { ...maps, displayName: undefined }], 'displayName is a text'],
      [[camera, { ...maps, id: camera?.id.toUpperCase() }], 'id is unique'],
    ] as const) {
      expect(problemsOf(env(wrong))).toEqual([
        `LICENSE_PACKAGES must be a list in which every ${what} (entry 2 of 2).`,
      ]);
    }
  });

  it('names each setting that object storage lacks', () => {
    expect(problemsOf({ STORAGE: 's3' })).toEqual([
      'S3_BUCKET is required when STORAGE is s3.',
      'S3_REGION is required when STORAGE is s3.',
    ]);
    const env = { STORAGE: 's3', S3_BUCKET: 'slipway', S3_REGION: 'eu-central-1' };
    expect(problemsOf(env)).toEqual([]);
    for (const name of ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']) {
      expect(problemsOf({ ...env, [name]: 'secret' })).toEqual([
        'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together.',
      ]);
    }
  });

  it.each(['http://127.0.0.1:8333', 'https://s3.example.com', 'http://storage:9000/', 'http://[::1]:9000'])(
    'takes the address %s of object storage',
    (endpoint) => expect(loadConfig({ S3_ENDPOINT: endpoint }).s3.endpoint).toBe(endpoint),
  );

  it.each(['slipway', 'slipway/production', 'a/b.c/', '.hidden'])('takes the prefix %s', (prefix) => {
    expect(loadConfig({ S3_PREFIX: prefix }).s3.prefix).toBe(prefix);
  });

  it('refuses a database that is not PostgreSQL', () => {
    const [problem, ...others] = problemsOf({ DATABASE_URL: 'mysql://db', ENCRYPTION_KEY: key });
    expect(problem).toMatch(/^DATABASE_URL /);
    expect(others).toEqual([]);
  });

  it('requires an encryption key beside a database', () => {
    expect(problemsOf({ DATABASE_URL: 'postgres://db/slipway' })).toEqual([
      expect.stringMatching(/^ENCRYPTION_KEY is required/),
    ]);
  });

  it('reports all problems at once', () => {
    const names = problemsOf({ PORT: 'x', LOG_LEVEL: 'x', STORAGE: 'x', DATABASE_URL: 'x' }).map(
      (problem) => problem.split(' ')[0],
    );
    expect(names.sort()).toEqual(['DATABASE_URL', 'ENCRYPTION_KEY', 'LOG_LEVEL', 'PORT', 'STORAGE']);
  });

  it('takes a header for the country only together with a proxy to believe it from', () => {
    const header = { COUNTRY_HEADER: 'CF-IPCountry' };
    expect(problemsOf(header)).toEqual([expect.stringContaining('COUNTRY_HEADER needs TRUST_PROXY')]);
    expect(loadConfig({ ...header, TRUST_PROXY: '1' }).http.countryHeader).toBe('CF-IPCountry');
    expect(problemsOf({ COUNTRY_HEADER: 'x y', TRUST_PROXY: '1' })).toHaveLength(1);
  });

  it.each([
    'https://login.example.com',
    'https://login.example.com/realms/acme/',
    'http://localhost:8080/realms/acme',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
  ])('takes %s for an OpenID provider, together with a client id', (issuer) => {
    expect(loadConfig({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'slipway' }).oidc).toMatchObject({
      issuer,
      clientId: 'slipway',
      clientSecret: null,
    });
    expect(problemsOf({ OIDC_ISSUER: issuer })).toEqual([
      'OIDC_CLIENT_ID is required when OIDC_ISSUER is set.',
    ]);
  });

  it('switches passwords off only where there is another way to sign in', () => {
    const off = { LOCAL_SIGN_IN: 'false' };
    expect(problemsOf(off)).toEqual([
      'LOCAL_SIGN_IN can be false only when OIDC_ISSUER is set: otherwise no one can sign in.',
    ]);
    expect(problemsOf({ ...off, OIDC_ISSUER: 'https://login.example.com' })).toEqual([
      'OIDC_CLIENT_ID is required when OIDC_ISSUER is set.',
    ]);
    const oidc = { OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'slipway' };
    expect(loadConfig({ ...off, ...oidc }).signIn.local).toBe(false);
  });

  it.each([
    [
      { SMTP_URL: 'http://mail', MAIL_FROM: 'a@example.com', PUBLIC_URL: 'http://slipway.example.com' },
      'SMTP_URL must be smtp:// or smtps://',
    ],
    [
      { SMTP_URL: 'smtp://a:b%@mail', MAIL_FROM: 'a@example.com', PUBLIC_URL: 'http://slipway.example.com' },
      'SMTP_URL must be smtp:// or smtps://',
    ],
    [
      { SMTP_URL: 'smtp://mail', MAIL_FROM: 'no address', PUBLIC_URL: 'http://slipway.example.com' },
      'MAIL_FROM must be an e-mail address',
    ],
    [
      { SMTP_URL: 'smtp://mail', PUBLIC_URL: 'http://slipway.example.com' },
      'SMTP_URL and MAIL_FROM must be set together',
    ],
    [{ SMTP_URL: 'smtp://mail', MAIL_FROM: 'a@example.com' }, 'SMTP_URL needs PUBLIC_URL'],
  ])('cannot send mail with %j', (env, problem) => {
    expect(problemsOf(env as Record<string, string>).join('\n')).toContain(problem);
  });

  it('reads the roles that groups give, each complete', () => {
    const organizationId = '0199b0c2-7c1e-7bd3-a3c1-4c29f4a7d8aa';
    const right = { group: 'developers', organizationId, role: 'member' };
    const env = (value: unknown): Record<string, string> => ({ OIDC_GROUP_ROLES: JSON.stringify(value) });
    expect(loadConfig(env([right])).oidc.groupRoles).toEqual([right]);
    for (const [wrong, what] of [
      [{ ...right, group: '' }, 'group is a text'],
      [{ ...right, organizationId: 'acme' }, 'organizationId is a UUID'],
      [{ ...right, role: 'god' }, 'role is one of owner, admin, billing, member, viewer'],
    ] as const) {
      expect(problemsOf(env([right, wrong]))).toEqual([
        `OIDC_GROUP_ROLES must be a list in which every ${what} (entry 2 of 2).`,
      ]);
    }
  });
});
