import { isDeepStrictEqual } from 'node:util';
import type { OpenAPIObject } from '@nestjs/swagger';
import { type DocumentedResponse, operationsOf } from './operations.js';

type Kind = 'headers' | 'parameters' | 'responses';

/** A part of the document that can be replaced by a reference. */
interface Place {
  readonly name: string;
  readonly part: object;
  readonly replace: (reference: { $ref: string }) => void;
}

/**
 * Moves the parameters, headers and successful responses that several operations share to `components`, so that the
 * document stays small. Parameters and headers that are used less often than others of the same name stay where they are;
 * such responses get a number.
 */
export function shareParts(document: OpenAPIObject): void {
  const operations = operationsOf(document).map(({ operation }) => operation);
  const responses = operations.flatMap(({ responses }) =>
    entriesOf(responses, ([, response]) => titleOf(response)),
  );
  const headers = responses.flatMap(({ part }) =>
    entriesOf((part as DocumentedResponse).headers ?? {}, ([name]) => name),
  );
  const parameters = operations.flatMap(({ parameters = [] }) =>
    entriesOf(parameters, ([, parameter]) => pascalCase((parameter as { name?: string }).name ?? '')),
  );
  share(document, 'headers', headers);
  share(document, 'responses', responses);
  share(document, 'parameters', parameters);
}

/** The entries of a record or an array that are no references. */
function entriesOf(parts: object, nameOf: (entry: [string, object]) => string): Place[] {
  const record = parts as Record<string, object>;
  return Object.entries(record)
    .filter(([, part]) => !('$ref' in part))
    .map(([key, part]) => ({
      name: nameOf([key, part]),
      part,
      replace: (reference) => (record[key] = reference),
    }));
}

function share(document: OpenAPIObject, kind: Kind, places: readonly Place[]): void {
  const shared = { ...(document.components?.[kind] as Record<string, object> | undefined) };
  for (const [name, named] of Map.groupBy(places, (place) => place.name)) {
    if (name === '') continue;
    const [most, ...others] = [...Map.groupBy(named, ({ part }) => JSON.stringify(part)).values()].sort(
      (a, b) => b.length - a.length,
    );
    const part = shared[name] ?? most?.[0]?.part;
    const same = named.filter((place) => isDeepStrictEqual(place.part, part));
    if (same.length < 2 && !(name in shared)) continue;
    if (part !== undefined) shared[name] = part;
    for (const { replace } of same) replace({ $ref: `#/components/${kind}/${name}` });
    if (kind !== 'responses') continue;
    for (const [index, variant] of others.filter(({ length }) => length > 1).entries()) {
      const numbered = `${name}${index + 2}`;
      if (variant[0] !== undefined) shared[numbered] = variant[0].part;
      for (const { replace } of variant) replace({ $ref: `#/components/${kind}/${numbered}` });
    }
  }
  document.components = { ...document.components, [kind]: shared };
}

/** The first words of the description of a response, if it has no content: "Deleted. …" becomes `Deleted`. */
function titleOf(response: object): string {
  const { description, content } = response as DocumentedResponse;
  return content === undefined ? pascalCase(/^[\w ]*/.exec(description)?.[0] ?? '') : '';
}

function pascalCase(text: string): string {
  return text.replace(/(?:^|[ -])([a-z])/gi, (_match, letter: string) => letter.toUpperCase());
}
