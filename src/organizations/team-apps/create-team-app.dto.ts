import { IsId } from '../../common/validation/is-id.decorator.js';

/** An app to assign to a team. */
export class CreateTeamAppDto {
  /** An app of the same organization. */
  @IsId()
  appId!: string;
}
