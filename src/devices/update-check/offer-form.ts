import { compareSemver } from '../../common/compare-versions.js';
import { downloadsEmptyFiles } from '../channel-decision/decision-request.js';
import type { DeviceReport } from '../check-ins/device-report.js';
import type { ReleaseBundle } from '../releases/release-table.js';

/** How a bundle is offered: as it was published, or as the zip that was generated of a manifest bundle. */
export type OfferForm = 'published' | 'generated-zip';

/** First Capacitor plugin that accepts Brotli on Android. */
const FIRST_VERSION_WITH_BROTLI = '8.4.0';

/**
 * A device that runs a bundle reuses its files, which takes a manifest. One that runs none would fetch every file, so it
 * gets the zip if that is smaller. The named manifest in it lets the next update reuse files. A device that cannot download
 * an empty file gets the zip in any case.
 */
export function offerFormFor(
  { generatedZip, hasEmptyFiles }: ReleaseBundle,
  report: DeviceReport,
): OfferForm {
  if (generatedZip === null) return 'published';
  if (hasEmptyFiles && !downloadsEmptyFiles(report)) return 'generated-zip';
  if (report.bundleId !== null) return 'published';
  return generatedZip.smallerThan[codingOf(report)] ? 'generated-zip' : 'published';
}

/** The best content coding that the client of a device accepts. All accept gzip; of Cordova, only iOS accepts Brotli. */
function codingOf({ platform, pluginVersion, runtime }: DeviceReport): 'br' | 'gzip' {
  if (platform === 'ios') return 'br';
  const isCapacitor = runtime === null;
  return isCapacitor && (compareSemver(pluginVersion, FIRST_VERSION_WITH_BROTLI) ?? -1) >= 0 ? 'br' : 'gzip';
}
