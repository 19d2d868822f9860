import { isUuid } from '../common/validation/uuid.js';
import { Config } from '../config/config.js';
import { expiresAt } from '../live-updates/retention/bundle-retention.dto.js';
import { type RetentionReport, RetentionService } from '../live-updates/retention/retention.service.js';
import { command, UsageError } from './command.js';
import { withApplication } from './with-application.js';

/** `slipway retention run`: deletes now what the server deletes within a day. See docs/retention.md. */
export const retentionRun = command({
  options: {
    'dry-run': { type: 'boolean', default: false, help: 'list what would be deleted, and delete nothing' },
    app: { type: 'string', value: 'ID', help: 'only bundles of this app' },
  },
  run: async ({ 'dry-run': dryRun, app }) => {
    if (app !== undefined && !isUuid(app)) throw new UsageError('--app must be the id of an app.');
    const appId = app?.toLowerCase() ?? null;
    await withApplication(async (context) => {
      const retention = context.get(RetentionService, { strict: false });
      const { graceDays } = context.get(Config, { strict: false }).retention;
      if (dryRun) await preview(retention, appId, graceDays);
      else report('Deleted', await retention.run(appId));
    });
  },
});

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
