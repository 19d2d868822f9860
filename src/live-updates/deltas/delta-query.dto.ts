import { IsId } from '../../common/validation/is-id.decorator.js';

export class DeltaQuery {
  /** Id of the bundle that the client has, of the same app and in manifest form. */
  @IsId()
  from!: string;
}
