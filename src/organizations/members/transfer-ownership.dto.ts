import { IsId } from '../../common/validation/is-id.decorator.js';

/** The new owner. */
export class TransferOwnershipDto {
  /** Id of another member of the organization (not its user id). */
  @IsId()
  memberId!: string;
}
