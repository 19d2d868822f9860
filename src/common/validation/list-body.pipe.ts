import { Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { InvalidRequestError } from '../errors/app-error.js';
import { DtoValidationPipe } from './validation.pipe.js';

/** The field of the DTO that holds the list. */
interface ListDto<T> {
  items: T[];
}

/**
 * For a body that is a JSON array, which no DTO can describe: validates it as the field `items` of a DTO.
 *
 * @example `@Body(new ListBodyPipe(SetVariablesDto)) variables: EnvironmentValueDto[]`
 */
@Injectable()
export class ListBodyPipe<T> implements PipeTransform<unknown, Promise<T[]>> {
  private readonly validation = new DtoValidationPipe();

  constructor(readonly dto: Type<ListDto<T>>) {}

  /** @throws InvalidRequestError with the fields as they are in the body, such as `0.key` */
  async transform(body: unknown): Promise<T[]> {
    if (!Array.isArray(body)) throw new InvalidRequestError('The body must be a JSON array.');
    try {
      const validated = await this.validation.transform(
        { items: body },
        { type: 'body', metatype: this.dto },
      );
      return (validated as ListDto<T>).items;
    } catch (error) {
      if (!(error instanceof InvalidRequestError) || error.errors === undefined) throw error;
      const errors = error.errors.map(({ field, message }) => ({
        field: field.replace(/^items\./, ''),
        message,
      }));
      throw new InvalidRequestError(error.message, 'invalid_fields', errors);
    }
  }
}
