import { Injectable } from '@nestjs/common';
import { InvalidRequestError } from '../../common/errors/app-error.js';
import type { Warning } from '../../common/warnings/warning.js';
import { type RecordedReuse, type ReuseTarget, UnsafeReuseQueries } from './unsafe-reuse.queries.js';

const REMEDY = 'Change the file, a line break is enough, or publish a zip.';

/** Keeps builds from channels whose devices would build their bundles wrongly. */
@Injectable()
export class UnsafeReuseService {
  constructor(private readonly queries: UnsafeReuseQueries) {}

  /**
   * What devices would do wrong with a build that is to be delivered. To be called while its channel is locked, before it is
   * delivered.
   *
   * @throws InvalidRequestError when the devices would that run what the channel serves to every device now, unless the channel
   *   has delivered the build before
   */
  async check(target: ReuseTarget): Promise<Warning[]> {
    const found = await this.queries.worst(target);
    if (found !== null && isRefused(found)) {
      const { href, buildNumber } = found;
      throw new InvalidRequestError(
        `${href} would keep the content of build ${buildNumber} on devices that run it. ${REMEDY}`,
        'unsafe_reuse',
      );
    }
    const unverified = await this.queries.unverifiedManifest(target);
    return [
      ...(found === null ? [] : [{ code: 'unsafe_reuse' as const, message: messageOf(found) }]),
      ...(unverified === null
        ? []
        : [{ code: 'inner_manifest' as const, message: unverifiedMessage(unverified) }]),
    ];
  }

  /** Whether `check` would throw. */
  async isRefused(target: ReuseTarget): Promise<boolean> {
    const found = await this.queries.worst(target);
    return found !== null && isRefused(found);
  }
}

function isRefused({ kind, isServed, isRollback }: RecordedReuse): boolean {
  return kind === 'content' && isServed && !isRollback;
}

function messageOf({ kind, href, buildNumber, runningBundleId, others }: RecordedReuse): string {
  const first = buildNumber === null ? `the imported bundle ${runningBundleId}` : `build ${buildNumber}`;
  const bundles = `${first}${others === 0 ? '' : ` or one of ${others} others`}`;
  return kind === 'content'
    ? `Devices that run ${bundles} are not offered this bundle: ${href} would keep its content on them. ${REMEDY}`
    : `Devices that run ${bundles}, with a plugin before 7.2.2, are not offered this bundle: they would lack ${href}. ${REMEDY}`;
}

function unverifiedMessage({ buildNumber, href }: { buildNumber: number; href: string }): string {
  return `Devices that run build ${buildNumber} may compare signed bundles with ${href}, which was not verified when it was published. Publish the web build without that file, or publish a zip.`;
}
