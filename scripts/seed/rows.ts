/** One kind of rows: what is run for the numbers from $2 to $3 of them, with the id of the first app as $1. */
export interface Rows {
  readonly table: string;
  readonly sql: string;
}

/** The id of something, from the id of the app and a number, so that nothing has to be read back. */
export const idOf = (what: string, number: string): string => `md5($1 || ' ${what} ' || ${number})::uuid`;

/** As `md5('… device 7')::uuid` in PostgreSQL: the devices are known without being read. */
export const DEVICE_ID = idOf('device', 'n');

/** The n-th app; the first is the one that gets everything. */
const appOf = (number: string): string =>
  `(CASE ${number} WHEN 1 THEN $1::uuid ELSE ${idOf('app', number)} END)`;

const NUMBERS = 'generate_series($2::int, $3::int) AS n';
const SECONDS = "interval '1 second'";

/** $4 is the organization. */
export const apps: readonly Rows[] = [
  {
    table: 'apps',
    sql: `INSERT INTO apps (id, organization_id, name, type, last_build_number, next_build_number)
          SELECT ${appOf('n')}, $4, CASE n WHEN 1 THEN 'Seeded' ELSE 'Seeded ' || n END, 'capacitor', 1, 2
            FROM ${NUMBERS}`,
  },
  {
    table: 'channels',
    sql: `INSERT INTO channels (id, app_id, name, name_lower)
          SELECT ${idOf('default', 'n')}, ${appOf('n')}, 'default', 'default' FROM ${NUMBERS}`,
  },
  {
    table: 'apps',
    sql: `UPDATE apps SET default_channel_id = ${idOf('default', 'n')} FROM ${NUMBERS} WHERE id = ${appOf('n')}`,
  },
];

/** A build of an app with its bundle, which lies elsewhere. */
function bundlesOf(what: string, app: string, number: string): Rows[] {
  return [
    {
      table: 'builds',
      sql: `INSERT INTO builds (id, app_id, number, platform, created_at)
            SELECT ${idOf(`${what} build`, 'n')}, ${app}, ${number}, 'web', now() - ($3::int - n) * ${SECONDS}
              FROM ${NUMBERS}`,
    },
    {
      table: 'build_artifacts',
      sql: `INSERT INTO build_artifacts (id, build_id, type, status)
            SELECT ${idOf(`${what} bundle`, 'n')}, ${idOf(`${what} build`, 'n')}, 'zip', 'ready' FROM ${NUMBERS}`,
    },
    {
      table: 'bundles',
      sql: `INSERT INTO bundles (id, app_id, url, checksum)
            SELECT ${idOf(`${what} bundle`, 'n')}, ${app}, 'https://cdn.example.com/' || n || '.zip',
                   encode(sha256(n::text::bytea), 'hex')
              FROM ${NUMBERS}`,
    },
  ];
}

/** What every app but the first gets: one bundle, deployed. */
export const otherApps: readonly Rows[] = [
  ...bundlesOf('only', appOf('n'), '1'),
  {
    table: 'deployments',
    sql: `INSERT INTO deployments (id, app_id, build_id, channel_id)
          SELECT ${idOf('only deployment', 'n')}, ${appOf('n')}, ${idOf('only build', 'n')}, ${idOf('default', 'n')}
            FROM ${NUMBERS}`,
  },
];

export const channels: readonly Rows[] = [
  {
    table: 'channels',
    sql: `INSERT INTO channels (id, app_id, name, name_lower)
          SELECT ${idOf('channel', 'n')}, $1::uuid, 'channel-' || n, 'channel-' || n FROM ${NUMBERS}`,
  },
];

export const bundles: readonly Rows[] = [
  ...bundlesOf('big', '$1::uuid', 'n'),
  {
    table: 'apps',
    sql: `UPDATE apps SET last_build_number = $3::int, next_build_number = $3::int + 1
           WHERE id = $1::uuid AND $2::int IS NOT NULL`,
  },
];

/** $4 bundles and $5 channels, of which number 0 is the default channel. */
export const deployments: readonly Rows[] = [
  {
    table: 'deployments',
    sql: `INSERT INTO deployments (id, app_id, build_id, channel_id, created_at)
          SELECT ${idOf('deployment', 'n')}, $1::uuid, ${idOf('big build', '(n % $4::int + 1)')},
                 CASE n % ($5::int + 1) WHEN 0 THEN ${idOf('default', '1')}
                                        ELSE ${idOf('channel', '(n % ($5::int + 1))')} END,
                 now() - interval '1 day' + n * interval '1 millisecond'
            FROM ${NUMBERS}`,
  },
];

/** The first $4 are forced to the default channel. */
export const devices: readonly Rows[] = [
  {
    table: 'devices',
    sql: `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version,
                               country, custom_id, channel_id, forced_channel_id, last_seen_at)
          SELECT $1::uuid, ${DEVICE_ID}::text, n % 2, (n % 20)::text, '1.' || n % 20, '34', '8.4.3',
                 chr(65 + n % 20) || chr(65 + n % 2), CASE WHEN n % 10 = 0 THEN 'user-' || n END,
                 ${idOf('default', '1')}, CASE WHEN n <= $4::int THEN ${idOf('default', '1')} END,
                 date_trunc('milliseconds', now()) - n * ${SECONDS}
            FROM ${NUMBERS}`,
  },
];

/** Of the organization $4. */
export const members: readonly Rows[] = [
  {
    table: 'users',
    sql: `INSERT INTO users (id, email, email_verified)
          SELECT ${idOf('user', 'n')}, 'seeded-' || n || '-' || $1 || '@example.com', true FROM ${NUMBERS}`,
  },
  {
    table: 'members',
    sql: `INSERT INTO members (id, organization_id, user_id, role, created_at)
          SELECT ${idOf('member', 'n')}, $4, ${idOf('user', 'n')}, 'viewer', now() + n * ${SECONDS} FROM ${NUMBERS}`,
  },
];
