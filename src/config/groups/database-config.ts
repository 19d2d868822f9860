import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { Env } from '../env.decorator.js';
import { IsTextThat } from '../../common/validation/satisfies.decorator.js';

/** The PostgreSQL database. */
export class DatabaseConfig {
  /**
   * URL of PostgreSQL, 15 or newer. If unset, Slipway starts and migrates an embedded PostgreSQL. If set, run
   * `slipway migrate` to migrate.
   *
   * @default none: embedded
   * @values `postgres://user:password@host:5432/name`
   */
  @Env('DATABASE_URL', { secret: true })
  @IsOptional()
  @IsPostgresUrl()
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

/** The address of a PostgreSQL database. The message shows nothing of it: it may hold a password. */
function IsPostgresUrl(): PropertyDecorator {
  return IsTextThat(
    isPostgresUrl,
    '$property must be postgres://user:password@host:5432/name, special characters in user and password percent-encoded',
  );
}

function isPostgresUrl(text: string): boolean {
  // The driver takes a URL without a host, too: that of a Unix socket is in the query.
  const url = URL.parse(text) ?? URL.parse(text.replace('@/', '@localhost/'));
  if (!/^postgres(ql)?:\/\/./.test(text) || url === null) return false;
  const { username, password, hash } = url;
  try {
    return hash === '' && decodeURIComponent(username + password) !== null;
  } catch {
    return false;
  }
}
