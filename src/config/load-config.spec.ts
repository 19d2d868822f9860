import 'reflect-metadata';
import { generateApiToken } from '../common/access/api-token.js';
import { Config } from './config.js';
import { envVariablesOf } from './env.decorator.js';
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
    expect(config.rateLimits).toEqual({ token: 6000, address: 600, signIn: 60, runner: 1200 });
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

  it('refuses a built-in runner without the embedded database', () => {
    expect(loadConfig({ RUNNER: '1' }).runners.builtIn).toBe(true);
    expect(problemsOf({ RUNNER: 'true', DATABASE_URL: 'postgres://u:p@db/x', ENCRYPTION_KEY: key })).toEqual([
      'RUNNER needs the embedded database: with DATABASE_URL, run "slipway runner" on another machine instead.',
    ]);
  });

  it.each([
    ['RETENTION_DEVICE_DAYS', 'ACTIVE_DEVICE_DAYS'],
    ['RETENTION_GRACE_DAYS', 'DELETION_GRACE_DAYS'],
    ['RETENTION_UPLOAD_DAYS', 'UPLOAD_RETENTION_DAYS'],
  ])('refuses %s by its new name, unless it is empty', (before, now) => {
    expect(() => loadConfig({ [before]: '30' })).toThrow(`${before} is now ${now}: rename it.`);
    expect(() => loadConfig({ [before]: ' ' })).not.toThrow();
  });

  it('takes empty values and spaces for unset', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: ' ', PUBLIC_URL: '' }).http.port).toBe(3000);
    expect(loadConfig({ PORT: ' 8080 ' }).http.port).toBe(8080);
    expect(loadConfig({ LOG_PRETTY: '0' }).log.pretty).toBe(false);
  });

  it.each([
    ['HOST', '999.1.1.1'],
    ['HOST', '10.0.0'],
    ['HOST', 'http://localhost'],
    ['HOST', '-secret-'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['TRUST_PROXY', '10.0.0.256'],
    ['TRUST_PROXY', 'loopback,secret'],
    ['TRUST_PROXY', ','],
    ['API_DOCS', 'perhaps'],
    ['SHUTDOWN_DELAY_SECONDS', 'secret'],
    ['WORKERS', '0'],
    ['WORKERS', 'all'],
    ['DATABASE_POOL_SIZE', 'secret'],
    ['PUBLISH_COMPRESSION_SECONDS', '61'],
    ['SCRUB_INTERVAL_DAYS', '-1'],
    ['DELETION_GRACE_DAYS', '1.5'],
    ['ACTIVE_DEVICE_DAYS', '0'],
    ['UPLOAD_RETENTION_DAYS', '0'],
    ['NEW_DEVICES_PER_APP', '-1'],
    ['NEW_DEVICES_PER_NETWORK', 'secret'],
    ['MAX_DEVICES_PER_APP', '1e9'],
    ['DEVICE_RETENTION_DAYS', '3651'],
    ['MAX_ORGANIZATIONS_PER_USER', '-1'],
    ['RELEASE_CACHE_MB', '0'],
    ['DEVICE_BUFFER_SIZE', '999'],
    ['ENCRYPTION_KEYS_OLD', 'secret'],
    ['BOOTSTRAP_TOKEN', `ca_${'0'.repeat(48)}`],
    ['OIDC_CLIENT_ID', 'x'.repeat(1001)],
    ['OIDC_CLIENT_SECRET', 'x'.repeat(1001)],
    ['OIDC_EMAIL_CLAIM', 'x'.repeat(201)],
    ['OIDC_NAME_CLAIM', 'x'.repeat(201)],
    ['OIDC_GROUPS_CLAIM', 'x'.repeat(201)],
    ['OIDC_LINK_WITHOUT_PROOF', 'perhaps'],
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
    ['S3_PUBLIC_ENDPOINT', 's3.example.com'],
    ['DOWNLOAD_CDN_URL', 'https://cdn.example.com/path'],
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
    ['OUTBOUND_ALLOW', 'secret.example.com/path'],
    ['OUTBOUND_ALLOW', 'mail=10.0.0.0/8'],
    ['OUTBOUND_ALLOW', '10.0.0.0/33'],
    ['OUTBOUND_ALLOW', '10.1'],
    ['OUTBOUND_ALLOW', '10.0.0.0/8,'],
    ['OUTBOUND_ALLOW', 'git.*.example.com'],
    ['OUTBOUND_ALLOW', '*'],
    ['LOG_LEVEL', 'loud'],
    ['LOG_PRETTY', 'perhaps'],
  ])('refuses %s=%s with one line that names it and does not repeat the value', (name, value) => {
    const problems = problemsOf({
      ...(name.startsWith('OIDC_')
        ? { OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'slipway' }
        : {}),
      [name]: value,
    });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name} .+\\.$`));
    expect(problems[0]).not.toContain('secret');
  });

  it.each([
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ PUBLISH_COMPRESSION_SECONDS: 'x' }, 'PUBLISH_COMPRESSION_SECONDS must be a number from 0 to 60.'],
    [{ API_DOCS: 'perhaps' }, 'API_DOCS must be true or false.'],
    [{ STORAGE: 'tape' }, 'STORAGE must be one of disk, s3.'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent.'],
    [
      { TRUST_PROXY: '10.0.0.0/99' },
      'TRUST_PROXY must be false, a number of hops such as 1, or a list of addresses and networks such as loopback,10.0.0.0/8.',
    ],
    [
      { OIDC_CLIENT_ID: 'slipway' },
      'OIDC_CLIENT_ID has no effect without OIDC_ISSUER, such as OIDC_ISSUER=https://login.example.com.',
    ],
    [
      { DATABASE_URL: 'postgres://db/slipway', ENCRYPTION_KEY: key, BOOTSTRAP_EMAIL: 'ada@example.com' },
      'BOOTSTRAP_EMAIL and BOOTSTRAP_TOKEN belong together: set both.',
    ],
    [
      { DATABASE_URL: 'postgres://a:50%@db/slipway', ENCRYPTION_KEY: key },
      'DATABASE_URL must be postgres://user:password@host:5432/name, special characters in user and password percent-encoded.',
    ],
  ])('says for %j which form is accepted', (env, problem) => {
    expect(problemsOf(env as Record<string, string>)).toEqual([problem]);
  });

  it('reports a wrong value of every variable that does not take any text', () => {
    const anyText = [
      'DATA_DIR',
      'OIDC_CLIENT_ID',
      'OIDC_CLIENT_SECRET',
      'OIDC_NAME',
      'S3_ACCESS_KEY_ID',
      'S3_SECRET_ACCESS_KEY',
    ];
    for (const section of Object.values(new Config())) {
      for (const { name } of envVariablesOf(section as object).values()) {
        if (anyText.includes(name) || name.endsWith('_CLAIM')) continue;
        const problems = problemsOf({ TRUST_PROXY: '1', [name]: '%' });
        expect(problems.filter((problem) => problem.startsWith(`${name} must `))).toHaveLength(1);
      }
    }
  });

  it.each(['0.0.0.0', '::', '::1', 'localhost', 'api.example.com', 'node-1'])('listens on %s', (HOST) => {
    expect(loadConfig({ HOST }).http.host).toBe(HOST);
  });

  it.each(['false', '1', 'loopback, 10.0.0.0/8', 'uniquelocal,fd00::/8,192.0.2.1'])(
    'trusts the proxies %s',
    (TRUST_PROXY) => {
      expect(loadConfig({ TRUST_PROXY }).http.trustProxy).toBe(TRUST_PROXY);
    },
  );

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

  it.each([
    'postgres://slipway:secret@/slipway?host=/cloudsql/project:region:instance',
    'postgres:///slipway?host=/var/run/postgresql',
    'postgres://%2Fvar%2Frun%2Fpostgresql/slipway',
  ])('takes the address of a Unix socket: %s', (url) => {
    expect(loadConfig({ DATABASE_URL: url, ENCRYPTION_KEY: key }).database.url).toBe(url);
  });

  it('reports all problems at once', () => {
    const names = problemsOf({ PORT: 'x', LOG_LEVEL: 'x', STORAGE: 'x', DATABASE_URL: 'x' }).map(
      (problem) => problem.split(' ')[0],
    );
    expect(names.sort()).toEqual(['DATABASE_URL', 'ENCRYPTION_KEY', 'LOG_LEVEL', 'PORT', 'STORAGE']);
  });

  it('waits at shutdown for load balancers where there is a proxy', () => {
    const delayOf = (env: Record<string, string>) => loadConfig(env).http.shutdownDelaySeconds;
    expect(delayOf({})).toBe(0);
    expect(delayOf({ TRUST_PROXY: '1', SHUTDOWN_DELAY_SECONDS: ' ' })).toBe(5);
    expect(delayOf({ TRUST_PROXY: '1', SHUTDOWN_DELAY_SECONDS: '0' })).toBe(0);
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

  it('redirects downloads only to a store that devices accept', () => {
    const s3 = { STORAGE: 's3', S3_BUCKET: 'slipway', S3_REGION: 'eu-central-1' };
    const on = { DOWNLOAD_REDIRECTS: 'true', PUBLIC_URL: 'https://slipway.example.com' };
    expect(problemsOf({ DOWNLOAD_REDIRECTS: 'true' })).toEqual(['DOWNLOAD_REDIRECTS needs STORAGE=s3.']);
    expect(problemsOf({ ...s3, ...on })).toEqual([]);
    const plain = { ...s3, ...on, S3_ENDPOINT: 'http://minio:9000' };
    expect(problemsOf(plain).join()).toContain('S3_ENDPOINT must be an https address');
    expect(problemsOf({ ...plain, S3_PUBLIC_ENDPOINT: 'https://files.example.com' })).toEqual([]);
    const cdn = { ...s3, ...on, DOWNLOAD_CDN_URL: 'http://cdn.example.com' };
    expect(problemsOf(cdn).join()).toContain('DOWNLOAD_CDN_URL must be an https address');
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

  it.each([
    ['GOOGLE_PLAY_URL', 'androidpublisher.googleapis.com'],
    ['GOOGLE_PLAY_URL', 'ftp://play.example.com'],
    ['GOOGLE_PLAY_URL', 'https://user:secret@play.example.com'],
    ['GOOGLE_PLAY_URL', 'https://play.example.com/?a=b'],
    ['GOOGLE_PLAY_URL', 'https:///v3'],
    ['GOOGLE_TOKEN_URL', 'https://oauth2.example.com/token#x'],
    ['GOOGLE_TOKEN_URL', 'https://oauth2.example.com/to ken'],
    ['STORE_PROXY_URL', 'https://proxy.example.com'],
    ['STORE_PROXY_URL', 'socks5://proxy.example.com'],
    ['STORE_PROXY_URL', 'proxy.example.com:3128'],
    ['STORE_PROXY_URL', 'http://proxy.example.com/path'],
  ])('refuses %s=%s', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`${name} must be `);
    expect(problems[0]).not.toContain('secret');
  });

  it('takes addresses of stores in private networks, and a proxy with a password', () => {
    const env = {
      GOOGLE_PLAY_URL: 'http://127.0.0.1:4000/play',
      GOOGLE_TOKEN_URL: 'http://[::1]:4000/token',
      STORE_PROXY_URL: 'http://user:pass%40word@proxy:3128',
    };
    expect(loadConfig(env).stores).toMatchObject({
      googlePlayUrl: env.GOOGLE_PLAY_URL,
      googleTokenUrl: env.GOOGLE_TOKEN_URL,
      proxyUrl: env.STORE_PROXY_URL,
    });
  });
});
