import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/config.js';
import type { StoreSession } from '../../calls/store-session.js';
import { AppStoreConnectClient } from './app-store-connect-client.js';
import type { AppleApiKey } from './apple-token.js';
import { CallBudget } from '../rate-limits/call-budget.service.js';

/** Calls App Store Connect with keys of API users. */
@Injectable()
export class AppStoreConnect {
  private readonly baseUrl: string;

  constructor(
    config: Config,
    private readonly budget: CallBudget,
  ) {
    this.baseUrl = config.stores.appStoreConnectUrl;
  }

  /** The calls with one key. They count for the organization of the session. */
  clientOf(session: StoreSession, key: AppleApiKey): AppStoreConnectClient {
    return new AppStoreConnectClient(session, { baseUrl: this.baseUrl, key, budget: this.budget });
  }
}
