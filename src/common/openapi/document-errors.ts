import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { isAccountPermission, type Permission } from '../access/permissions.js';
import { ERRORS } from '../errors/api-errors.decorator.js';
import { errorBody } from '../errors/error-body.js';
import { errorCatalogue, type ErrorCode } from '../errors/catalogue/error-catalogue.js';
import { ErrorDto } from '../errors/error.dto.js';
import {
  type DocumentedResponse,
  hasContent,
  isRepeatable,
  type Operation,
  operationsOf,
  type PlacedOperation,
} from './operations.js';

const REQUEST_ID = '0199b0c2-7c1e-7bd3-a3c1-4c29f4a7d8aa';
const nameIsInvalid = { field: 'name', message: errorCatalogue.invalid_fields.message };

/**
 * Documents the errors of every operation: those that decorators name, and those that follow from the method, the
 * query and the body. One response per status refers to one example per code.
 */
export function documentErrors(document: OpenAPIObject): void {
  const used = new Set<ErrorCode>();
  for (const placed of operationsOf(document)) {
    for (const [status, codes] of byStatus(errorsOf(placed))) {
      for (const code of codes) used.add(code);
      placed.operation.responses[status] = errorResponse(codes);
    }
  }
  const examples = [...used].sort().map((code) => [code, exampleOf(code)] as const);
  document.components = {
    ...document.components,
    examples: { ...document.components?.examples, ...Object.fromEntries(examples) },
  };
}

/** A response with the errors of one status. @param codes at least one */
function errorResponse(codes: readonly ErrorCode[]): DocumentedResponse {
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }] as const);
  return {
    description: codes.map(codes.length === 1 ? meaningOf : describe).join('\n'),
    content: {
      'application/json': {
        schema: { $ref: getSchemaPath(ErrorDto) },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** The codes of an operation. Removes the extension that holds those of the decorators. */
function errorsOf(placed: PlacedOperation): ErrorCode[] {
  const operation = placed.operation as Operation & { [ERRORS]?: ErrorCode[] };
  const { [ERRORS]: named = [] } = operation;
  delete operation[ERRORS];
  return placed.path.startsWith('/v1/') ? [...named, ...impliedErrors(placed)] : named;
}

function impliedErrors(placed: PlacedOperation): ErrorCode[] {
  const { operation, method } = placed;
  const codes: ErrorCode[] = [
    'malformed_text',
    'token_outside_header',
    'rate_limited',
    'server_busy',
    'database_busy',
    'database_unavailable',
  ];
  const hasQuery = operation.parameters?.some((parameter) => 'in' in parameter && parameter.in === 'query');
  // A DELETE refuses parameters that it does not have.
  if (operation.requestBody || hasQuery || method === 'delete') codes.push('invalid_fields');
  if (operation.requestBody) codes.push('invalid_request', 'too_large', 'unsupported_media_type');
  if (hasContent(operation, 'application/json')) codes.push('malformed_json');
  const { 'x-permission': permission } = operation as Operation & { readonly 'x-permission'?: Permission };
  if (method !== 'get' && permission !== undefined && !isAccountPermission(permission)) {
    codes.push('organization_suspended');
  }
  if (isRepeatable(placed)) {
    codes.push('invalid_idempotency_key', 'idempotency_key_in_use', 'idempotency_key_reused');
  }
  return codes;
}

function byStatus(codes: readonly ErrorCode[]): Map<string, ErrorCode[]> {
  return Map.groupBy([...new Set(codes)].sort(), (code) => String(errorCatalogue[code].status));
}

function exampleOf(code: ErrorCode): { value: ErrorDto } {
  const { status, message } = errorCatalogue[code];
  const errors = code === 'invalid_fields' ? { errors: [nameIsInvalid] } : {};
  return { value: errorBody({ status, message, code, ...errors }, REQUEST_ID) };
}

const describe = (code: ErrorCode): string => `- \`${code}\`: ${meaningOf(code)}`;

/** The meaning without its links, which lead to other documents. */
function meaningOf(code: ErrorCode): string {
  return errorCatalogue[code].meaning.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');
}
