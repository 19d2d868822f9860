import { IsInt, Matches, Max, Min } from 'class-validator';
import { Env } from '../env.decorator.js';

/** Events and webhooks. */
export class EventConfig {
  /** Days after which [events](events.md) and their deliveries are deleted. */
  @Env('EVENT_RETENTION_DAYS')
  @IsInt()
  @Min(1)
  @Max(3650)
  retentionDays: number = 30;

  /**
   * The header with the signature of a [webhook](webhooks.md) besides those of Standard Webhooks.
   *
   * @values a name of a header
   */
  @Env('WEBHOOK_SIGNATURE_HEADER')
  @Matches(/^[A-Za-z0-9-]{1,100}$/)
  signatureHeader: string = 'X-Capawesome-Signature';
}
