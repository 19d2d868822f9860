import { applyDecorators } from '@nestjs/common';
import { ApiExample } from '../openapi/api-example.decorator.js';
import { IsText } from './is-text.decorator.js';
import { IsNullable } from './optional.decorators.js';

/** What a person says about a change: at most 1,000 characters, absent or `null` for nothing. */
export function IsComment(): PropertyDecorator {
  return applyDecorators(IsNullable(), IsText(1000));
}

/** What a person says about a change. */
@ApiExample({ comment: 'Payments fail since 14:00.' })
export class CommentDto {
  /** Comment for people, at most 1,000 characters. */
  @IsComment()
  comment?: string | null;
}
