import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import type { NoticeSettings } from './notice-settings.entity.js';

/** Whether the server sends the user emails at all. */
export class NoticeMailStateDto {
  /** @example true */
  available!: boolean;

  /**
   * Why nothing is sent; `null`: emails are sent.
   * @example null
   */
  reason!: string | null;
}

/** Which emails about events the caller gets. */
@ApiExample({ approvals: true, health: false, webhooks: true })
export class NoticesDto {
  /** Deployments that wait for the caller's approval, and decisions about the caller's own. On by default. */
  approvals!: boolean;

  /**
   * What goes wrong or soon will: rollouts that were held or aborted, many roll-backs, damaged bundles, releases that wait for
   * a person, jobs without a runner, lost runners, what expires, storage that is nearly used up. Off by default.
   */
  health!: boolean;

  /** Webhooks that Slipway has disabled, for administrators. On by default. */
  webhooks!: boolean;

  mail!: NoticeMailStateDto;
}

/** @param unavailable why nothing is sent; `null`: emails are sent */
export function toNoticesDto(
  { approvals, health, webhooks }: Omit<NoticeSettings, 'userId'>,
  unavailable: string | null,
): NoticesDto {
  return { approvals, health, webhooks, mail: { available: unavailable === null, reason: unavailable } };
}
