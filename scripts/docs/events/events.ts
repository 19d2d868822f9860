import { isDeepStrictEqual } from 'node:util';
import { exampleId } from '../../../src/common/openapi/example-values.ts';
import { formatJson } from '../../../src/docs/format-json.ts';
import {
  type DocumentedEvent,
  type DocumentWithEvents,
  schemaOfEvents,
} from '../../../src/notifications/event-types/event-schemas.ts';
import { table } from '../table.ts';
import { cell, rowsOf } from './fields.ts';
import { dataOf, ENVELOPE, resolve, type Schema, type Schemas, schemasOf } from './schema.ts';

const intro = `# Types of events

What [webhooks](webhooks.md) send and what [the feed](events.md) lists. \`npm run docs:generate\` generates this page from the \`*.events.ts\` files, and with it [events.schema.json](events.schema.json), a JSON Schema (2020-12) of all events, and the field \`x-webhooks\` of the OpenAPI document. \`GET /v1/event-types\` returns the types with one schema each. A test compares them.

Releases of Slipway add types, and fields of types. Ignore types and fields that your program does not know. Long texts are cut to keep an event below 64 kB: they end with \`… (cut, 70000 characters)\`.

[Tests](webhook-deliveries.md#send-again) send \`webhook_test\` to one webhook, with \`webhookId\` and \`webhookName\` in \`data\` and the position 0. It is no event: the feed and the schemas do not have it.
`;

/** A kind of event. */
type Kind = readonly [type: string, event: DocumentedEvent];

/** The page docs/event-types.md. */
export function renderEventTypes(document: DocumentWithEvents): string {
  const kinds = Object.entries(document['x-webhooks'] ?? {}).map(([type, { post }]): Kind => [type, post]);
  const schemas = schemasOf(document);
  return [
    intro,
    '## Of apps\n',
    'Webhooks of the app and of its organization get these events. Members with the permission see those of the apps that they see.\n',
    overview(kinds, 'app'),
    '## Of organizations\n',
    'Only webhooks of the organization get these events.\n',
    overview(kinds, 'organization'),
    '## Fields of all events\n',
    table(
      ['Field', 'Type', 'Meaning'],
      [
        ['`type`', 'string', 'The type.'],
        ['`event`', 'string', 'The same, in webhooks only.'],
        ['`data`', 'object', 'What happened. Its fields depend on the type.'],
        ...rowsOf(ENVELOPE, schemas),
      ],
    ),
    '## Data by type\n',
    ...kinds.map((kind) => section(kind, kinds, schemas)),
  ].join('\n');
}

/** The file docs/events.schema.json. */
export function renderEventsSchema(document: DocumentWithEvents): string {
  return `${formatJson(schemaOfEvents(document))}\n`;
}

function overview(kinds: readonly Kind[], of: string): string {
  return table(
    ['Type', 'When', 'Severity', 'Permission'],
    kinds
      .filter(([, event]) => event['x-of'] === of)
      .map(([type, event]) => [
        `[\`${type}\`](#${type})`,
        cell(event.description),
        event['x-severity'],
        `\`${event['x-permission']}\``,
      ]),
  );
}

function section([type, event]: Kind, kinds: readonly Kind[], schemas: Schemas): string {
  const data = dataOf(event, schemas);
  const heading = `### ${type}\n\n${event.summary}. ${event.description}\n`;
  const [first = type] = kinds.find(([, other]) => isDeepStrictEqual(dataOf(other, schemas), data)) ?? [];
  if (first !== type) return `${heading}\n\`data\` has the fields of [\`${first}\`](#${first}).\n`;
  const envelope = resolve(ENVELOPE, schemas).example as object;
  const example = {
    event: type,
    type,
    data: withoutObjects(data),
    ...envelope,
    appId: event['x-of'] === 'app' ? exampleId('App') : null,
  };
  return [
    heading,
    table(['Field', 'Type', 'Meaning'], rowsOf(data, schemas)),
    `\`\`\`json\n${jsonOf(example)}\n\`\`\`\n`,
  ].join('\n');
}

/** The example of the data, which is shorter without the objects that it may lack. */
function withoutObjects({ example, properties }: Schema): object {
  return Object.fromEntries(
    Object.entries(example as object).map(([name, value]: [string, unknown]) => {
      const isLeftOut = properties?.[name]?.nullable === true && typeof value === 'object';
      return [name, isLeftOut ? null : value];
    }),
  );
}

/** As prettier writes it: short lists stand on one line. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/\[\s+([^[\]{}]*?)\s+\]/g, (_list, entries: string) => {
    return `[${entries.replace(/\s*\n\s*/g, ' ')}]`;
  });
}
