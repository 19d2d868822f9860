import { Injectable } from '@nestjs/common';
import type { App } from '../../apps/apps/app.entity.js';
import { Limits } from '../../common/background/limits.js';
import { InvalidRequestError } from '../../common/errors/app-error.js';
import type { Destination } from '../destinations/destination.entity.js';
import { DestinationsService } from '../destinations/destinations.service.js';
import { StoreCalls } from '../calls/store-calls.service.js';
import { REQUEST_PATIENCE_MS } from '../calls/store-session.js';
import { AppStoreConnectChecks } from './app-store-connect-checks.service.js';
import type { DestinationVerificationDto } from './destination-check.dto.js';
import { GooglePlayChecks } from './google-play-checks.service.js';

/** Asks stores what destinations are good for. It waits for other servers: never call it inside a transaction. */
@Injectable()
export class DestinationChecksService {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly calls: StoreCalls,
    private readonly googlePlay: GooglePlayChecks,
    private readonly appStoreConnect: AppStoreConnectChecks,
    private readonly limits: Limits,
  ) {}

  /**
   * @throws NotFoundError
   * @throws InvalidRequestError when Slipway does not submit to this store
   * @throws ServerBusyError
   */
  async verify(
    { id: appId, organizationId }: Pick<App, 'id' | 'organizationId'>,
    id: string,
  ): Promise<DestinationVerificationDto> {
    const destination = await this.destinations.get(appId, id);
    const checks = this.checksOf(destination);
    return this.limits.run('destination-checks', organizationId, () =>
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
