import { Injectable } from '@nestjs/common';
import type { App } from '../../apps/apps/app.entity.js';
import { ShareLimit } from '../../common/background/share-limit.js';
import { InvalidRequestError, RateLimitedError } from '../../common/errors/app-error.js';
import type { Destination } from '../destinations/destination.entity.js';
import { DestinationsService } from '../destinations/destinations.service.js';
import { StoreCalls } from '../stores/store-calls/store-calls.service.js';
import { REQUEST_PATIENCE_MS } from '../stores/store-calls/store-session.js';
import { AppStoreConnectChecks } from './app-store-connect-checks.service.js';
import type { DestinationVerificationDto } from './destination-check.dto.js';
import { GooglePlayChecks } from './google-play-checks.service.js';

/** For one organization in one process: a store that does not answer holds nothing of other organizations. */
const AT_ONCE = 2;
const MAX_WAITING = 10;

/** Seconds after which a client may ask again. */
const RETRY_AFTER = 5;

/** Asks stores what destinations are good for. It waits for other servers: never call it inside a transaction. */
@Injectable()
export class DestinationChecksService {
  private readonly limit = new ShareLimit({ atOncePerShare: AT_ONCE });

  constructor(
    private readonly destinations: DestinationsService,
    private readonly calls: StoreCalls,
    private readonly googlePlay: GooglePlayChecks,
    private readonly appStoreConnect: AppStoreConnectChecks,
  ) {}

  /**
   * @throws NotFoundError
   * @throws InvalidRequestError when Slipway does not submit to this store
   * @throws RateLimitedError when many other checks of the organization wait
   */
  async verify(
    { id: appId, organizationId }: Pick<App, 'id' | 'organizationId'>,
    id: string,
  ): Promise<DestinationVerificationDto> {
    const destination = await this.destinations.get(appId, id);
    const checks = this.checksOf(destination);
    if (this.limit.waitingOf(organizationId) >= MAX_WAITING) throw new RateLimitedError(RETRY_AFTER);
    return this.limit.run(organizationId, () =>
      checks.verify(
        destination,
        this.calls.of({ organizationId, submissionId: null, patienceMs: REQUEST_PATIENCE_MS }),
      ),
    );
  }

  private checksOf({ type }: Destination): GooglePlayChecks | AppStoreConnectChecks {
    if (type === 'google-play') return this.googlePlay;
    if (type === 'apple-app-store-connect') return this.appStoreConnect;
    throw new InvalidRequestError(
      `Destinations of the type ${type} cannot be verified yet: only google-play and apple-app-store-connect can.`,
      'destination_type_unsupported',
    );
  }
}
