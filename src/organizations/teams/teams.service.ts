import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { FindOptionsWhere, Repository } from 'typeorm';
import { ConflictError, NotFoundError } from '../../common/errors/app-error.js';
import type { Page } from '../../common/pagination/page.js';
import { nameColumns, nameKey } from '../../common/validation/name.decorator.js';
import { CountLimits } from '../../database/count-limits.js';
import { deleteOrThrow, findOrThrow, findPage, insertOrThrow, updateOrThrow } from '../../database/rows.js';
import { containsText } from '../../database/text-filters.js';
import { transaction } from '../../database/transactions/transaction.js';
import type { CreateTeamDto } from './create-team.dto.js';
import type { ListTeamsQuery } from './list-teams-query.dto.js';
import { Team, TEAMS_NAME_KEY, TEAMS_ORGANIZATION_FKEY } from './team.entity.js';
import type { UpdateTeamDto } from './update-team.dto.js';

const violations = {
  [TEAMS_NAME_KEY]: () => new ConflictError('A team with this name already exists.', 'team_name_taken'),
  [TEAMS_ORGANIZATION_FKEY]: () => new NotFoundError('Organization'),
};

@Injectable()
export class TeamsService {
  constructor(
    @InjectRepository(Team) private readonly teams: Repository<Team>,
    private readonly limits: CountLimits,
  ) {}

  /** The teams of an organization, by name. */
  list(organizationId: string, query: ListTeamsQuery): Promise<Page<Team>> {
    const { name, query: text } = query;
    const named: FindOptionsWhere<Team> = { organizationId };
    if (name !== undefined) named.nameLower = nameKey(name);
    const matches =
      text === undefined ? [{}] : [{ name: containsText(text) }, { description: containsText(text) }];
    const where = matches.map((match) => ({ ...named, ...match }));
    return findPage(this.teams, where, query, { nameLower: 'ASC' });
  }

  /** @throws NotFoundError */
  get(organizationId: string, id: string): Promise<Team> {
    return findOrThrow(this.teams, { organizationId, id });
  }

  /** @throws ConflictError when the organization has a team with this name, or as many as the server allows */
  create(organizationId: string, values: CreateTeamDto): Promise<Team> {
    return transaction(async () => {
      await this.limits.requireRoom('teamsPerOrganization', organizationId, this.teams, { organizationId });
      return insertOrThrow(this.teams, { organizationId, ...columnsOf(values) }, violations);
    });
  }

  /**
   * @throws NotFoundError
   * @throws ConflictError when the organization has another team with the new name
   */
  update(organizationId: string, id: string, changes: UpdateTeamDto): Promise<Team> {
    return updateOrThrow(this.teams, { organizationId, id }, columnsOf(changes), violations);
  }

  /** Deletes a team; its apps and members stay in the organization. @throws NotFoundError */
  delete(organizationId: string, id: string): Promise<void> {
    return deleteOrThrow(this.teams, { organizationId, id });
  }
}

/** The columns that a request sets; absent fields are `undefined`. */
function columnsOf({ name, description }: UpdateTeamDto): Partial<Team> {
  return { ...nameColumns(name), description };
}
