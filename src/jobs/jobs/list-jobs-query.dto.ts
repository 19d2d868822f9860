import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn } from 'class-validator';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { Relations } from '../../common/validation/relations.decorator.js';
import { jobStatuses } from './job.entity.js';

/** A list of statuses as one text, which becomes a list. One decorator: the plugin of Swagger would make it an array. */
function JobStatuses(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: 'string', example: 'queued,in_progress' }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && value !== '' ? value.split(',') : value,
    ),
    IsEmptyOr(),
    IsIn(jobStatuses, { each: true, message: `status must be a list of ${jobStatuses.join(', ')}.` }),
  );
}

/** What to include with a job. */
export class GetJobQuery {
  @Relations('jobLogs')
  relations?: string[];
}

/** Which jobs to list. */
export class ListJobsQuery extends PageQuery {
  /** The organization. */
  @IsId()
  organizationId!: string;

  /** Only jobs with one of these statuses, separated by commas. */
  @JobStatuses()
  status?: string[];
}
