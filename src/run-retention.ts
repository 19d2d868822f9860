import { parseArgs } from 'node:util';
import { isUuid } from './common/validation/uuid.js';
import { Config } from './config/config.js';
import { expiresAt } from './live-updates/retention/bundle-retention.dto.js';
import { type RetentionReport, RetentionService } from './live-updates/retention/retention.service.js';
import { runCommand, withApplication } from './start/command.js';

const USAGE = 'Usage: npm run retention:run -- [--dry-run] [--app <id>]';

/** `npm run retention:run`: deletes now what the server would delete within a day. See docs/retention.md. */
async function main(): Promise<void> {
  const { dryRun, appId } = readArguments();
  await withApplication(async (context) => {
    const retention = context.get(RetentionService, { strict: false });
    const { graceDays } = context.get(Config, { strict: false }).retention;
    if (dryRun) await preview(retention, appId, graceDays);
    else report('Deleted', await retention.run(appId));
  });
}

function readArguments(): { dryRun: boolean; appId: string | null } {
  const { values } = parseArgs({
    options: { 'dry-run': { type: 'boolean', default: false }, app: { type: 'string' } },
  });
  if (values.app !== undefined && !isUuid(values.app)) throw new Error('--app must be the id of an app.');
  return { dryRun: values['dry-run'], appId: values.app?.toLowerCase() ?? null };
}

async function preview(retention: RetentionService, appId: string | null, graceDays: number): Promise<void> {
  const found = await retention.preview(appId, (id, bundle) => {
    const when = expiresAt(bundle, graceDays)?.toISOString();
    const what = `bundle ${bundle.bundleId} (build ${bundle.buildNumber}, ${bundle.sizeInBytes} bytes)`;
    console.log(`${what} of app ${id}: not needed, deleted after ${when}`);
  });
  report('Found', found);
  console.log(`Deleting the bundles would free ${found.freedSizeInBytes} bytes.`);
}

function report(done: string, { bundles, uploads, stored }: RetentionReport): void {
  const unfinished = `${uploads.bundles} unpublished bundles and ${uploads.uploads} unfinished uploads`;
  console.log(`${done} ${bundles} bundles that nothing needs, ${unfinished} that were left alone,`);
  console.log(`and ${stored.blobs} stored files of ${stored.sizeInBytes} bytes that nothing uses.`);
}

runCommand(main, USAGE);
