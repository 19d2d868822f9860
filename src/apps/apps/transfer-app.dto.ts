import { IsId } from '../../common/validation/is-id.decorator.js';

/** The new owner of an app. */
export class TransferAppDto {
  /** The organization that will own the app. */
  @IsId()
  organizationId!: string;
}
