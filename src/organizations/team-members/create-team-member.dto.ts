import { IsId } from '../../common/validation/is-id.decorator.js';

/** A member to add to a team. */
export class CreateTeamMemberDto {
  /** Id of a member of the same organization (not its user id). */
  @IsId()
  memberId!: string;
}
