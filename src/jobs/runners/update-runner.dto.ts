import { PartialType } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { CreateRunnerDto } from './create-runner.dto.js';

/** Changes to a runner; absent fields stay as they are, `null` clears. They apply to the next job that it gets. */
@ApiExample({ paused: true })
export class UpdateRunnerDto extends PartialType(CreateRunnerDto, { skipNullProperties: false }) {}
