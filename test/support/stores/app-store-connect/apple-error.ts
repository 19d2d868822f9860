import { randomUUID } from 'node:crypto';
import type { Reply } from '../stand-in/reply.ts';

/** An error of a response: https://developer.apple.com/documentation/appstoreconnectapi/errorresponse/errors-data.dictionary */
export interface AppleErrorItem {
  readonly status: string;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly source?: { readonly pointer: string } | { readonly parameter: string };
  readonly meta?: { readonly associatedErrors: Readonly<Record<string, readonly AppleErrorItem[]>> };
}

/** What an error has beside its words. */
export type ErrorDetails = Pick<AppleErrorItem, 'source' | 'meta'>;

/** A request that Apple refuses. */
export class AppleError extends Error {
  readonly status: number;
  readonly errors: readonly AppleErrorItem[];
  readonly headers: Readonly<Record<string, string>>;

  /** @param errors at least one; the status is that of the first */
  constructor(errors: readonly AppleErrorItem[], headers: Readonly<Record<string, string>> = {}) {
    super(errors.map(({ code, detail }) => `${code}: ${detail}`).join('; '));
    this.status = Number(errors[0]?.status ?? 500);
    this.errors = errors;
    this.headers = headers;
  }
}

/** The answer of a refusal. */
export function replyOf({ status, errors, headers }: AppleError): Reply {
  return { status, headers, body: { errors: errors.map((error) => ({ id: randomUUID(), ...error })) } };
}

export function item(
  status: number,
  code: string,
  title: string,
  detail = title,
  more: ErrorDetails = {},
): AppleErrorItem {
  return { status: String(status), code, title, detail, ...more };
}

/** One error. */
export function refused(
  status: number,
  code: string,
  title: string,
  detail?: string,
  more?: ErrorDetails,
): AppleError {
  return new AppleError([item(status, code, title, detail, more)]);
}

export const pointerTo = (pointer: string): ErrorDetails => ({ source: { pointer } });

const MISSING = 'The specified resource does not exist';

/** The words: https://github.com/codemagic-ci-cd/cli-tools/issues/346 */
export function noResource(type: string, id: string): AppleError {
  return refused(404, 'NOT_FOUND', MISSING, `There is no resource of type '${type}' with id '${id}'`);
}

/** The words: tramlinehq/applelink `spaceship/wrapper_error.rb`. */
export function noSubmission(id: string): AppleError {
  return refused(404, 'NOT_FOUND', MISSING, `Resource reviewSubmissions with id ${id} cannot be found`);
}

export function noPath(): AppleError {
  return refused(404, 'NOT_FOUND', MISSING, 'The path provided does not match a defined resource type.');
}

/** The words: https://github.com/MortenGregersen/Bagbutik/issues/181 */
export function illegalParameter(parameter: string): AppleError {
  return refused(
    400,
    'PARAMETER_ERROR.ILLEGAL',
    'A given parameter is not allowed for this request',
    `The parameter '${parameter}' can not be used with this request`,
    { source: { parameter } },
  );
}

export function invalidParameter(parameter: string, detail: string): AppleError {
  return refused(400, 'PARAMETER_ERROR.INVALID', 'A parameter has an invalid value', detail, {
    source: { parameter },
  });
}

export function missingParameter(parameter: string): AppleError {
  return refused(
    400,
    'PARAMETER_ERROR.REQUIRED',
    'A required parameter is missing',
    `The parameter '${parameter}' is required but was not provided`,
    { source: { parameter } },
  );
}

/** 409 for a value of an attribute. @param code what follows `ENTITY_ERROR.ATTRIBUTE.INVALID` */
export function invalidAttribute(attribute: string, detail: string, code = ''): AppleError {
  return refused(
    409,
    `ENTITY_ERROR.ATTRIBUTE.INVALID${code}`,
    'The provided entity includes an attribute with an invalid value',
    detail,
    pointerTo(`/data/attributes/${attribute}`),
  );
}

/** 409 for an attribute that cannot be changed now. The words: tramlinehq/applelink `spaceship/wrapper_error.rb`. */
export function lockedAttribute(attribute: string): AppleError {
  return refused(
    409,
    'ENTITY_ERROR.ATTRIBUTE.INVALID.INVALID_STATE',
    'An attribute value is not acceptable for the current resource state.',
    `The attribute '${attribute}' can not be modified.`,
    pointerTo(`/data/attributes/${attribute}`),
  );
}

/** 409 for a relationship. @param code what follows `ENTITY_ERROR.RELATIONSHIP.INVALID` */
export function invalidRelationship(relationship: string, detail: string, code = ''): AppleError {
  return refused(
    409,
    `ENTITY_ERROR.RELATIONSHIP.INVALID${code}`,
    'The provided entity includes a relationship with an invalid value',
    detail,
    pointerTo(`/data/relationships/${relationship}`),
  );
}

/** 409: what was asked for does not fit the state. */
export function wrongState(detail: string, code = 'STATE_ERROR'): AppleError {
  return refused(
    409,
    code,
    'The request cannot be fulfilled because of the state of another resource.',
    detail,
  );
}

/** 422. @param code what follows `ENTITY_UNPROCESSABLE` */
export function unprocessable(detail: string, code = ''): AppleError {
  return refused(422, `ENTITY_UNPROCESSABLE${code}`, 'The request entity is not a valid.', detail);
}
