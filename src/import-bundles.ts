import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ApiClient } from './import/api-client.js';
import { Importer } from './import/importer.js';
import { readItems } from './import/items.js';
import { Journal } from './import/journal.js';

const USAGE = `Usage: npm run import:bundles -- --app ID [options] FOLDER|LIST

  --app ID            the app that gets the bundles
  --server ORIGIN     the instance (http://localhost:3000)
  --token-file FILE   file with an API token (.slipway/token)
  --channel NAME      for bundles that name no channel (the app's default channel)
  --create-channels   create channels that the app does not have
  --dry-run           check everything and send nothing`;

/** `npm run import:bundles`: uploads and publishes zips that exist already. See docs/live-updates.md. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      app: { type: 'string' },
      server: { type: 'string', default: 'http://localhost:3000' },
      'token-file': { type: 'string', default: '.slipway/token' },
      channel: { type: 'string' },
      'create-channels': { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  const [source, ...others] = positionals;
  if (values.app === undefined || source === undefined || others.length > 0) throw new Error(USAGE);
  const tokenFile = values['token-file'];
  const token = (
    await readFile(tokenFile, 'utf8').catch(() => {
      throw new Error(`The token cannot be read from ${tokenFile}.`);
    })
  ).trim();
  const items = await readItems(source);
  const journal = await Journal.open(
    (await stat(source)).isDirectory() ? join(source, 'imported.ndjson') : `${source}.imported.ndjson`,
  );
  const importer = new Importer(new ApiClient(values.server.replace(/\/$/, ''), token), journal, {
    appId: values.app,
    channel: values.channel ?? null,
    createChannels: values['create-channels'],
    dryRun: values['dry-run'],
  });
  let failures = 0;
  for (const item of items) {
    try {
      console.log(`${item.name}: ${await importer.import(item)}`);
    } catch (error) {
      failures += 1;
      console.error(`${item.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  console.log(`${items.length - failures} of ${items.length} bundles.`);
  if (failures > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
