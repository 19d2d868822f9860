import { isDeepStrictEqual } from 'node:util';
import type { OpenAPIObject } from '@nestjs/swagger';
import { memberErrors } from '../access/requires.decorator.js';
import type { ErrorCode } from '../errors/catalogue/error-catalogue.js';
import { type DocumentedResponse, operationsOf } from './operations.js';

/**
 * Moves the errors that several operations share to `components.responses`, so that each is described once.
 * The name of a shared response comes from its codes: `AppNotFoundOrChannelNotFound`.
 */
export function shareErrors(document: OpenAPIObject): void {
  const places = operationsOf(document).flatMap(({ operation: { responses } }) =>
    Object.entries(responses).flatMap(([status, response]) =>
      Number(status) < 400 || response === undefined || '$ref' in response
        ? []
        : [{ responses, status, response, name: nameOf(response) }],
    ),
  );
  const shared: Record<string, DocumentedResponse> = {};
  for (const [name, [first, ...others]] of Map.groupBy(places, (place) => place.name)) {
    if (first === undefined || others.length === 0) continue;
    if (others.some(({ response }) => !isDeepStrictEqual(response, first.response)))
      throw new Error(`Responses with the codes of ${name} differ.`);
    shared[name] = first.response;
    for (const { responses, status } of [first, ...others]) {
      responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
  const sorted = Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1));
  document.components = {
    ...document.components,
    responses: { ...document.components?.responses, ...Object.fromEntries(sorted) },
  };
}

/** Names for codes that occur together, the longest list of a status first. */
const groups: Readonly<Record<string, readonly ErrorCode[]>> = {
  InvalidBody: [
    'invalid_fields',
    'invalid_request',
    'malformed_json',
    'malformed_text',
    'token_outside_header',
  ],
  InvalidFields: ['invalid_fields', 'malformed_text', 'token_outside_header'],
  MalformedRequest: ['malformed_text', 'token_outside_header'],
  Unauthenticated: ['invalid_token', 'not_authenticated'],
  WriteForbidden: ['csrf_check_failed', 'organization_suspended', ...memberErrors],
  Forbidden: ['csrf_check_failed', ...memberErrors],
  MemberForbidden: memberErrors,
  AccountForbidden: ['csrf_check_failed', 'token_limited'],
};

function nameOf({ content }: DocumentedResponse): string {
  const codes = Object.keys(content?.['application/json']?.examples ?? {});
  const group = Object.entries(groups).find(([, group]) => group.every((code) => codes.includes(code)));
  if (group === undefined) return codes.map(pascalCase).join('Or');
  const [name, members] = group;
  const others = codes.filter((code) => !members.some((member) => member === code));
  return [name, ...others.map(pascalCase)].join('Or');
}

function pascalCase(code: string): string {
  return code.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
