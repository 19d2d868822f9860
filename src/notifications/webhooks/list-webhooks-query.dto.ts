import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';

/** Which webhooks to list. */
export class ListWebhooksQuery extends PageQuery {
  /** Only webhooks whose name or id contains this text, ignoring case. */
  @QueryText()
  query?: string;
}
