import { readFile, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import type { DocumentWithEvents } from '../src/notifications/event-types/event-schemas.ts';
import { renderClients } from './docs/clients/clients.ts';
import { CONFIG_FILES, renderConfiguration } from './docs/configuration.ts';
import { renderErrors } from './docs/errors.ts';
import { renderEventsSchema, renderEventTypes } from './docs/events/events.ts';
import { type ApiDocument, renderPermissions } from './docs/permissions.ts';
import { renderSharedCapacity } from './docs/shared-capacity.ts';

/** `npm run docs:generate`: writes the pages of docs/ that are generated from the code, after `npm run openapi`. */
const root = join(import.meta.dirname, '..');
const document = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8')) as ApiDocument &
  DocumentWithEvents;
await writeFile(join(root, 'docs/permissions.md'), renderPermissions(document));
await writeFile(join(root, 'docs/errors.md'), renderErrors());
await writeFile(join(root, 'docs/event-types.md'), renderEventTypes(document));
await writeFile(join(root, 'docs/events.schema.json'), renderEventsSchema(document));
// The refusals import their links and helpers, as the names that files have when they are compiled.
registerHooks({
  resolve: (specifier, context, next) =>
    next(/^\..*-(row|pages)\.js$/.test(specifier) ? specifier.replace(/js$/, 'ts') : specifier, context),
});
const { renderRefusals } = await import('./docs/refusals.ts');
const { renderAppleRefusals } = await import('./docs/apple-refusals.ts');
const submissions = join(root, 'docs/app-submissions.md');
await writeFile(submissions, renderAppleRefusals(renderRefusals(await readFile(submissions, 'utf8'))));
const capacity = join(root, 'docs/capacity.md');
await writeFile(capacity, renderSharedCapacity(await readFile(capacity, 'utf8')));
const clients = join(root, 'docs/clients.md');
await writeFile(clients, renderClients(await readFile(clients, 'utf8'), document));
const configuration = await Promise.all(CONFIG_FILES.map((file) => readFile(join(root, file), 'utf8')));
await writeFile(join(root, 'docs/configuration.md'), renderConfiguration(configuration));
