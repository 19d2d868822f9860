import { IsBoolean, IsIn } from 'class-validator';
import { Env } from '../env.decorator.js';

/** Logs. */
export class LogConfig {
  /** Lowest level that is logged. */
  @Env('LOG_LEVEL')
  @IsIn(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
  level: string = 'info';

  /**
   * Short lines for people instead of JSON: without ids, unless `LOG_LEVEL` is `debug` or `trace`.
   *
   * @default `true` in a terminal
   * @values `true`, `false`, `1`, `0`
   */
  @Env('LOG_PRETTY')
  @IsBoolean()
  pretty: boolean = Boolean(process.stdout.isTTY);
}
