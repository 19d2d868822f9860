import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { Env } from '../env.decorator.js';
import { IsPostgresUrl } from '../postgres-url.js';

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
