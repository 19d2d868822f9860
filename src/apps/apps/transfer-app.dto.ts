import { IsId } from '../../common/validation/is-id.decorator.js';

/** Where an app goes. */
export class TransferAppDto {
  /** The organization that will own the app. */
  @IsId()
  organizationId!: string;
}
