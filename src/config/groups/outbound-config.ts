import { IsOptional } from 'class-validator';
import { Env } from '../env.decorator.js';
import { IsOutboundAllow } from '../outbound-allow.js';

/** Calls to addresses that users enter. */
export class OutboundConfig {
  /**
   * Private destinations that Slipway may call for its users, also by `http`: your own git servers and receivers of webhooks, for
   * example. See [outbound calls](security.md#outbound-calls).
   *
   * @default none: only public addresses, by `https`
   * @values a list of networks, addresses and host names such as `10.20.0.0/16,git=git.corp.example.com`, for one
   *   purpose with `git=`, `source=`, `store=` or `webhook=` in front; `*.example.com` means all hosts below `example.com`
   */
  @Env('OUTBOUND_ALLOW')
  @IsOptional()
  @IsOutboundAllow()
  allow: string | null = null;
}
