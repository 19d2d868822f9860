import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsDateInput } from '../../common/validation/date-input.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import { type WebhookDeliveryStatus, webhookDeliveryStatuses } from './webhook-delivery.entity.js';

/** Which deliveries to list. All filters must hold. */
export class ListWebhookDeliveriesQuery extends PageQuery {
  /** Only deliveries with this status. */
  @IsEmptyOr()
  @IsOneOf(webhookDeliveryStatuses, 'WebhookDeliveryStatus')
  status?: WebhookDeliveryStatus;

  /** Only deliveries of events of this type, such as `job_finished`, or `webhook_test`. */
  @QueryText()
  event?: string;

  /** Only deliveries that were created at or after this time. */
  @IsEmptyOr()
  @IsDateInput()
  from?: Date;

  /** Only deliveries that were created before this time. */
  @IsEmptyOr()
  @IsDateInput()
  to?: Date;
}
