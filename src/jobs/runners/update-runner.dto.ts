import { PartialType } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { RefuseUnknownFields } from '../../common/validation/unknown-fields/refuse-unknown-fields.decorator.js';
import { CreateRunnerDto } from './create-runner.dto.js';
import { IssuedRunnerDto } from './runner.dto.js';

/** Changes to a runner; absent fields stay as they are, `null` clears. They apply to the next job that it gets. Unknown fields are a 400. */
@RefuseUnknownFields(IssuedRunnerDto, 'runnerId')
@ApiExample({ paused: true })
export class UpdateRunnerDto extends PartialType(CreateRunnerDto, { skipNullProperties: false }) {}
