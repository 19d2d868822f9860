import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import { Relations } from '../../common/validation/relations.decorator.js';

/** What to include with a channel. */
export class GetChannelQuery {
  @Relations('appDeployment')
  relations?: string[];
}

/** Which channels to list. */
export class ListChannelsQuery extends PageQuery {
  /** Only the channel with exactly this name, ignoring case. */
  @QueryText()
  name?: string;

  /** Only channels whose id or name contains this text, ignoring case. Without a token, only names are searched. */
  @QueryText()
  query?: string;

  @Relations('appDeployment')
  relations?: string[];
}
