import { RotateTokenDto } from '../../accounts/tokens/rotate-token.dto.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { RefuseUnknownFields } from '../../common/validation/unknown-fields/refuse-unknown-fields.decorator.js';
import { IssuedRunnerDto } from './runner.dto.js';

/** How to rotate the token of a runner. Unknown fields are a 400. */
@RefuseUnknownFields(IssuedRunnerDto, 'runnerId')
@ApiExample({ overlapSeconds: 3600 })
export class RotateRunnerDto extends RotateTokenDto {}
