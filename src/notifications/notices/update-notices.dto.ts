import { IsBoolean } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsAbsentOr } from '../../common/validation/optional.decorators.js';

/** Changes to the caller's notices; absent fields stay as they are. */
@ApiExample({ health: true })
export class UpdateNoticesDto {
  /** Whether to send emails about approvals. */
  @IsAbsentOr()
  @IsBoolean({ message: '$property must be true or false.' })
  approvals?: boolean;

  /** Whether to send emails about what goes wrong or soon will. */
  @IsAbsentOr()
  @IsBoolean({ message: '$property must be true or false.' })
  health?: boolean;

  /** Whether to send emails about webhooks that Slipway has disabled. */
  @IsAbsentOr()
  @IsBoolean({ message: '$property must be true or false.' })
  webhooks?: boolean;
}
