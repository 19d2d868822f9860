import { IsBoolean } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsAbsentOr } from '../../common/validation/optional.decorators.js';
import { FormText } from '../../pages/forms/form-text.decorator.js';
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

/** Changes to the caller's notices; absent fields stay as they are. */
@ApiExample({ health: true })
export class UpdateNoticesDto {
  /** Whether to send emails about approvals. */
  @IsAbsentOr()
  @IsBoolean({ message: '$property must be true or false.' })
  approvals?: boolean;

  /** Whether to send emails about what goes wrong or soon will. */
  @IsAbsentOr()
  @IsBoolean({ message: '$property must be true or false.' })
  health?: boolean;

  /** Whether to send emails about webhooks that Slipway has disabled. */
  @IsAbsentOr()
  @IsBoolean({ message: '$property must be true or false.' })
  webhooks?: boolean;
}

/** The token of the link in a mail. */
export class UnsubscribeQuery {
  @FormText(100)
  token: string = '';
}
