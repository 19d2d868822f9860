import { readFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { EventDefinition } from '../../src/events/event-definition.js';
import { eventTypes } from '../../src/event-types.js';
import { changedKindOf } from '../../src/notifications/changes/changed-kinds.js';
import type { DocumentWithEvents } from '../../src/notifications/event-types/event-schemas.js';

const root = join(import.meta.dirname, '../..');
const files = globSync('src/**/*.events.ts', { cwd: root });

/** The kinds of events of a file, by the name of the constant. */
async function kindsOf(file: string): Promise<[string, EventDefinition][]> {
  const module = (await import(join(root, file))) as Record<string, unknown>;
  return Object.entries(module).filter((entry): entry is [string, EventDefinition] => isKind(entry[1]));
}

function isKind(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && 'facts' in value;
}

describe('the kinds of events', () => {
  let kinds: [string, EventDefinition][];

  beforeAll(async () => {
    kinds = (await Promise.all(files.map(kindsOf))).flat();
  });

  it('are all in src/event-types.ts', () => {
    const types = kinds.map(([, { type }]) => type);
    expect(types.sort()).toEqual(eventTypes.map(({ type }) => type).sort());
    expect(new Set(types).size).toBe(types.length);
  });

  it('have objects that the stream of changes can name', () => {
    expect(eventTypes.filter(({ type }) => changedKindOf(type) === null).map(({ type }) => type)).toEqual([]);
    expect(changedKindOf('app_provisioning_profile_expiring')).toBe('provisioning-profile');
    expect(changedKindOf('unknown')).toBeNull();
  });

  it('are all recorded somewhere', async () => {
    const sources = globSync('src/**/*.ts', { cwd: root }).filter(
      (file) => !/\.(events|spec)\.ts$|^src\/event-types\.ts$/.test(file),
    );
    const texts = await Promise.all(sources.map((file) => readFile(join(root, file), 'utf8')));
    const recorders = texts.map((text) => text.replace(/^import [^;]*;$/gm, ''));
    const unused = kinds.filter(
      ([name]) => !recorders.some((text) => new RegExp(`\\b${name}\\b`).test(text)),
    );
    expect(unused.map(([, { type }]) => type)).toEqual([]);
  });

  it('have names in snake case, a short title without markup, and a description in sentences', () => {
    for (const { type, title, description, of } of eventTypes) {
      expect(type).toMatch(/^[a-z]+(_[a-z]+)+$/);
      expect(title).toMatch(/^[A-Z][\w' -]{2,60}$/);
      expect({ type, description }).toEqual({
        type,
        description: expect.stringMatching(/^[A-Z].*\.$/) as string,
      });
      expect({ type, isOfApp: type.startsWith('app_') && of !== 'app' }).toEqual({ type, isOfApp: false });
    }
  });

  it('are in the OpenAPI document, with who sees them (npm run docs:generate)', async () => {
    const document = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8')) as DocumentWithEvents;
    const documented = Object.entries(document['x-webhooks'] ?? {}).map(([type, { post }]) => [
      type,
      post.summary,
      post.description,
      post['x-of'],
      post['x-permission'],
      post['x-severity'],
    ]);
    const expected = eventTypes.map(({ type, title, description, of, permission, severity = 'info' }) => [
      type,
      title,
      description,
      of,
      permission,
      severity,
    ]);
    expect(documented.sort()).toEqual(expected.sort());
  });
});
