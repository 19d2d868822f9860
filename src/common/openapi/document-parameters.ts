import type { OpenAPIObject } from '@nestjs/swagger';
import { type Operation, operationsOf } from './operations.js';
import type { Schema } from './sample.js';

type Parameter = Exclude<NonNullable<Operation['parameters']>[number], { $ref: string }>;

/**
 * Swagger UI fills in examples of parameters. Those of optional ones would filter everything away, so the description
 * names them instead. A required enumeration gets its first value.
 */
export function documentParameters(document: OpenAPIObject): void {
  for (const { operation } of operationsOf(document)) {
    for (const parameter of operation.parameters ?? []) {
      if (!('in' in parameter) || parameter.in === 'path' || parameter.schema === undefined) continue;
      if (parameter.required) fillIn(parameter, document);
      else describeExample(parameter);
    }
  }
}

function fillIn(parameter: Parameter, document: OpenAPIObject): void {
  const schema = parameter.schema as Schema | { $ref: string };
  const target = '$ref' in schema ? document.components?.schemas?.[schema.$ref.replace(/^.*\//, '')] : schema;
  const [first] = (target as Schema | undefined)?.enum ?? [];
  if (first !== undefined) parameter.example = first;
}

function describeExample(parameter: Parameter): void {
  const { example, ...schema } = parameter.schema as Schema;
  if (example === undefined) return;
  parameter.schema = schema;
  const sentence = `For example \`${String(example)}\`.`;
  parameter.description = [parameter.description, sentence].filter((part) => part).join(' ');
}
