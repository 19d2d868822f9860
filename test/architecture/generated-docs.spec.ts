import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cliCommands } from '../../scripts/docs/clients/cli-commands.js';
import { renderClients, requestsOf, withAnonymousIds } from '../../scripts/docs/clients/clients.js';
import { renderErrors } from '../../scripts/docs/errors.js';
import { renderEventsSchema, renderEventTypes } from '../../scripts/docs/events/events.js';
import { type ApiDocument, renderPermissions } from '../../scripts/docs/permissions.js';
import { renderAppleRefusals } from '../../scripts/docs/apple-refusals.js';
import { renderRefusals } from '../../scripts/docs/refusals.js';
import type { DocumentWithEvents } from '../../src/notifications/event-types/event-schemas.js';
import { errorCatalogue } from '../../src/common/errors/catalogue/error-catalogue.js';

const read = (path: string): Promise<string> => readFile(join(import.meta.dirname, '../..', path), 'utf8');

const openapi = async (): Promise<ApiDocument & DocumentWithEvents> =>
  JSON.parse(await read('openapi.json')) as ApiDocument & DocumentWithEvents;

describe('the documents that npm run docs:generate writes', () => {
  it('has the current docs/permissions.md', async () => {
    expect(await read('docs/permissions.md')).toBe(renderPermissions(await openapi()));
  });

  it('has the current docs/errors.md', async () => {
    expect(await read('docs/errors.md')).toBe(renderErrors());
  });

  it('has every error of the catalogue in docs/errors.md', async () => {
    const page = await read('docs/errors.md');
    expect(Object.keys(errorCatalogue).filter((code) => !page.includes(`| \`${code}\` `))).toEqual([]);
  });

  it('has the current docs/event-types.md', async () => {
    expect(await read('docs/event-types.md')).toBe(renderEventTypes(await openapi()));
  });

  it('has the current docs/events.schema.json', async () => {
    expect(await read('docs/events.schema.json')).toBe(renderEventsSchema(await openapi()));
  });

  it('has the current refusals in docs/app-submissions.md', async () => {
    const page = await read('docs/app-submissions.md');
    expect(page).toBe(renderAppleRefusals(renderRefusals(page)));
  });

  it('has the current docs/clients.md', async () => {
    const page = await read('docs/clients.md');
    expect(page).toBe(renderClients(page, await openapi()));
  });
});

describe('the commands of the command-line tool that docs/clients.md lists', () => {
  it('are all commands of the installed tool', async () => {
    const entry = await read('node_modules/@capawesome/cli/dist/index.js');
    const commands = [...entry.matchAll(/^\s+'?([\w:-]+)'?: await import\(/gm)].map(([, name]) => name);
    expect(Object.keys(cliCommands)).toEqual(commands);
  });

  it('need a request that Slipway does not have, if they are listed as not working', async () => {
    const requests = requestsOf(await openapi());
    const needed = Object.values(cliCommands).filter((status) => status.includes(' /v1/'));
    expect(needed.filter((request) => requests.has(withAnonymousIds(request)))).toEqual([]);
  });
});
