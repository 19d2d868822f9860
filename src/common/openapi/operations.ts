import type { OpenAPIObject } from '@nestjs/swagger';
import { AUTHENTICATED_BY_EXTENSION } from '../access/authenticated-by.decorator.js';

type Path = OpenAPIObject['paths'][string];

/** One operation of the OpenAPI document. */
export type Operation = NonNullable<Path['get']>;

export type DocumentedResponse = Exclude<Operation['responses'][string], { $ref: string } | undefined>;

/** An operation with its place in the document. */
export interface PlacedOperation {
  readonly path: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly operation: Operation;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

export function operationsOf(document: OpenAPIObject): PlacedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, operation }] : [];
    }),
  );
}

/** Whether callers can send an `Idempotency-Key`: with every POST and PATCH that takes the token of a
 * user, except for files. */
export function isRepeatable({ method, operation }: PlacedOperation): boolean {
  if ((method !== 'post' && method !== 'patch') || operation.security?.length === 0) return false;
  if (AUTHENTICATED_BY_EXTENSION in operation) return false;
  return !hasContent(operation, 'multipart/form-data');
}

export function hasContent({ requestBody }: Operation, contentType: string): boolean {
  return requestBody !== undefined && 'content' in requestBody && contentType in requestBody.content;
}
