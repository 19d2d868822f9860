import type { FieldError } from './app-error.js';

/** One invalid field of a request. */
export class FieldErrorDto implements FieldError {
  /**
   * Path of the field.
   * @example 'name'
   */
  field!: string;

  /**
   * What is wrong with it.
   * @example 'name must be 1 to 128 characters long.'
   */
  message!: string;
}

/** The body of every error: the members of RFC 9457 and the `message` that clients print. */
export class ErrorDto {
  /**
   * Identifies the kind of error (RFC 9457).
   * @example 'urn:slipway:error:channel_not_found'
   */
  type!: string;

  /**
   * The HTTP status as words.
   * @example 'Not Found'
   */
  title!: string;

  /**
   * The HTTP status.
   * @example 404
   */
  status!: number;

  /**
   * The same sentence as `message` (RFC 9457).
   * @example 'Channel not found.'
   */
  detail!: string;

  /**
   * What went wrong, as one human sentence.
   * @example 'Channel not found.'
   */
  message!: string;

  /**
   * A stable word for programs; all of them are listed in the documentation.
   * @example 'channel_not_found'
   */
  code!: string;

  /** Every invalid field, when the request was invalid. */
  errors?: FieldErrorDto[];

  /**
   * The id of the request, also in the header `X-Request-Id` and in the logs.
   * @example '0199b0c2-7c1e-7bd3-a3c1-4c29f4a7d8aa'
   */
  requestId!: string;
}
