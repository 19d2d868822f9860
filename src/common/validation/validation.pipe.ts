import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { refuseTokenIn } from '../access/token-outside-header.js';
import { type FieldError, InvalidRequestError, invalidFields, errorOf } from '../errors/app-error.js';
import { refusedFields } from './refuse-unknown-fields.decorator.js';
import { assertWellFormed } from './well-formed.js';

/**
 * Turns bodies and queries into their DTO classes. Unknown fields are dropped, not refused: the official clients
 * echo ids of the path in bodies. Exceptions are the bodies with `RefuseUnknownFields` or `RefuseMisnamedLimits`. Every
 * wrong field is named in the error.
 */
export class DtoValidationPipe extends ValidationPipe {
  constructor() {
    super({
      whitelist: true,
      transform: true,
      stopAtFirstError: true,
      exceptionFactory: (errors) => invalidFields(errors.flatMap((error) => toFieldErrors(error, ''))),
    });
  }

  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type !== 'custom') assertWellFormed(value);
    // The fields of a multipart body are known only here, behind the guards.
    if (metadata.type === 'body') refuseTokenIn(value);
    if (metadata.type === 'body' && Array.isArray(value) && metadata.metatype !== Array) {
      throw errorOf('invalid_request');
    }
    const refused = metadata.type === 'body' ? refusedFields(metadata.metatype, value) : [];
    // A request without body is one whose fields are all missing.
    const transformed = super.transform(metadata.type === 'body' ? (value ?? {}) : value, metadata);
    return refused.length === 0 ? transformed : refuse(refused, transformed);
  }
}

/** @throws InvalidRequestError with the refused fields, and those that are invalid besides */
async function refuse(refused: readonly FieldError[], transformed: Promise<unknown>): Promise<never> {
  const invalid = await transformed.then(
    () => [],
    (error: unknown) => {
      if (error instanceof InvalidRequestError && error.errors !== undefined) return error.errors;
      throw error;
    },
  );
  throw invalidFields([...refused, ...invalid]);
}

function toFieldErrors(error: ValidationError, parent: string): FieldError[] {
  const field = parent === '' ? error.property : `${parent}.${error.property}`;
  const own = Object.values(error.constraints ?? {})
    .slice(0, 1)
    .map((message) => ({ field, message: /[.!?]$/.test(message) ? message : `${message}.` }));
  return [...own, ...(error.children ?? []).flatMap((child) => toFieldErrors(child, field))];
}
