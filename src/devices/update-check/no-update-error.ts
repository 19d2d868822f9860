import { AppError } from '../../common/errors/app-error.js';
import type { ErrorCodeOf } from '../../common/errors/catalogue/error-catalogue.js';
import type { DecisionReason } from '../channel-decision/decision.js';

const messages: Record<Exclude<DecisionReason, 'served'>, string> = {
  'no-default-channel': 'No update available: the app has no default channel.',
  'channel-not-found': 'Channel not found.',
  'channel-paused': 'No update available: the channel is paused.',
  'channel-expired': 'No update available: the channel has expired.',
  'no-acceptable-deployment': 'No update available for this device.',
  'unsafe-reuse': 'No update available: the device would reuse files of the bundle that it runs for others.',
};

/** 404, which devices read as "no update available". */
export class NoUpdateError extends AppError {
  constructor(reason: DecisionReason) {
    super(reason === 'served' ? 'No update available.' : messages[reason], codeOf(reason));
  }
}

function codeOf(reason: DecisionReason): ErrorCodeOf<404> {
  return reason === 'channel-not-found' ? 'channel_not_found' : 'no_update';
}
