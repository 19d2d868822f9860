import { ValidateBy, type ValidationOptions } from 'class-validator';

/** A sentence, or a function that makes it; `$property` is replaced by the name of the field. */
type Message = NonNullable<ValidationOptions['message']>;

/**
 * A value that passes a check.
 *
 * @param options `each` checks every item of a list
 */
export function Satisfies(
  check: (value: unknown) => boolean,
  message: Message,
  options: Pick<ValidationOptions, 'each'> = {},
): PropertyDecorator {
  return ValidateBy({ name: 'satisfies', validator: { validate: check } }, { ...options, message });
}

/** A text that passes a check. */
export function IsTextThat(
  check: (text: string) => boolean,
  message: Message,
  options: Pick<ValidationOptions, 'each'> = {},
): PropertyDecorator {
  return Satisfies((value) => typeof value === 'string' && check(value), message, options);
}
