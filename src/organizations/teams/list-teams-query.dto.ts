import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import { Relations } from '../../common/validation/relations.decorator.js';

/** What to include with a team. */
export class GetTeamQuery {
  @Relations('apps', 'members')
  relations?: string[];
}

/** Which teams to list. */
export class ListTeamsQuery extends PageQuery {
  /** Only the team with exactly this name, ignoring case. */
  @QueryText()
  name?: string;

  /** Only teams whose name or description contains this text, ignoring case. */
  @QueryText()
  query?: string;
}
