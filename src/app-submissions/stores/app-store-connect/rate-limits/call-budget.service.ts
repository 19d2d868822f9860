import { Injectable } from '@nestjs/common';
import type { StoreResponse } from '../../store-calls/store-session.js';
import type { AppleApiKey } from '../apple-token.js';

type KeyName = Pick<AppleApiKey, 'keyId' | 'issuerId'>;

/** The calls that App Store Connect allows for a key, which all servers and organizations share. */
@Injectable()
export class CallBudget {
  /** Counts a call that is about to be made. @throws StoreRefusal `wait-for-quota` when it may not be made now */
  async take(_key: KeyName, _organizationId: string): Promise<void> {}

  /** Notes what an answer says about the limit. */
  async learn(_key: KeyName, _organizationId: string, _response: StoreResponse): Promise<void> {}
}
