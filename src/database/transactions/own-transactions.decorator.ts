import { SetMetadata } from '@nestjs/common';

export const OWN_TRANSACTIONS = 'slipway:own-transactions';

/**
 * For handlers that wait for storage, for a stream or for the hash of a password: they are not run in one transaction
 * but open theirs where they need them. Repeating such a request must be harmless. Also for a GET that writes.
 */
export function OwnTransactions(): MethodDecorator & ClassDecorator {
  return SetMetadata(OWN_TRANSACTIONS, true);
}
