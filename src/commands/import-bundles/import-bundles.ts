import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiClient } from '../../runner/api/api-client.js';
import { ApiAwayError } from '../../runner/api/api-errors.js';
import { ApiHealth } from '../../runner/api/api-health.js';
import { command, UsageError } from '../command.js';
import { Importer } from './importer.js';
import { type ImportItem, readItems } from './items.js';
import { Journal } from './journal.js';
import { ManifestImporter } from './manifest-importer.js';
import { type ManifestItem, readManifestItems } from './manifest-items.js';

/** `slipway import bundles`: uploads and publishes existing zips. See docs/guides/import-bundles.md. */
export const importBundles = command({
  operands: 'FOLDER|LIST',
  options: {
    app: { type: 'string', value: 'ID', help: 'the app that gets the bundles' },
    server: { type: 'string', value: 'ORIGIN', default: 'http://localhost:3000', help: 'the instance' },
    'token-file': {
      type: 'string',
      value: 'FILE',
      default: '.slipway/token',
      help: 'file with an API token',
    },
    channel: {
      type: 'string',
      value: 'NAME',
      help: "for bundles that name no channel (the app's default channel)",
    },
    'create-channels': {
      type: 'boolean',
      default: false,
      help: 'create channels that the app does not have',
    },
    'dry-run': { type: 'boolean', default: false, help: 'check everything and send nothing' },
  },
  run: async (values, [source, ...others]) => {
    if (values.app === undefined) throw new UsageError('--app is required.');
    if (source === undefined || others.length > 0) throw new UsageError('One folder or list is required.');
    const token = await readToken(values['token-file']);
    const items = await readItems(source);
    const manifests = await readManifestItems(source, items);
    const api = new ApiClient(values.server.replace(/\/$/, ''), token, new ApiHealth(() => undefined));
    const journal = await Journal.open(await journalOf(source));
    const options = {
      appId: values.app,
      channel: values.channel ?? null,
      createChannels: values['create-channels'],
      dryRun: values['dry-run'],
    };
    // Before the bundles, which are compared with them.
    await importManifests(new ManifestImporter(api, journal, options), manifests);
    await importAll(new Importer(api, journal, options), items);
  },
});

async function readToken(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`The token cannot be read from ${file}.`);
  });
  return text.trim();
}

/** The path of the journal, in the folder or beside the list. */
async function journalOf(source: string): Promise<string> {
  const isFolder = (await stat(source)).isDirectory();
  return isFolder ? join(source, 'imported.ndjson') : `${source}.imported.ndjson`;
}

/** Prints the outcome and the warnings of each; the exit code becomes 1 when one fails. */
async function importAll(importer: Importer, items: readonly ImportItem[]): Promise<void> {
  let failures = 0;
  let warningCount = 0;
  for (const item of items) {
    try {
      const { outcome, warnings } = await importer.import(item);
      console.log(`${item.name}: ${outcome}`);
      for (const warning of warnings) console.error(`${item.name}: warning: ${warning}`);
      warningCount += warnings.length;
    } catch (error) {
      failures += 1;
      console.error(`${item.name}: ${messageOf(error)}`);
    }
  }
  const counted = warningCount === 1 ? ', 1 warning' : warningCount > 1 ? `, ${warningCount} warnings` : '';
  console.log(`${items.length - failures} of ${items.length} bundles${counted}.`);
  if (failures > 0) process.exitCode = 1;
}

/** As `importAll`. Says nothing when there are none. */
async function importManifests(importer: ManifestImporter, items: readonly ManifestItem[]): Promise<void> {
  let failures = 0;
  for (const item of items) {
    const name = `${item.name} as ${item.bundleId}`;
    try {
      console.log(`${name}: ${await importer.import(item)}`);
    } catch (error) {
      failures += 1;
      console.error(`${name}: ${messageOf(error)}`);
    }
  }
  if (items.length > 0) console.log(`${items.length - failures} of ${items.length} manifests.`);
  if (failures > 0) process.exitCode = 1;
}

function messageOf(error: unknown): string {
  if (error instanceof ApiAwayError) return `The server is away: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
