import { errorBody } from '../../common/errors/error-body.js';
import { type AppError, NotFoundError } from '../../common/errors/app-error.js';
import type { Decision, DecisionReason } from '../releases/decision.js';
import { NoUpdateError } from './no-update-error.js';
import type { ReleaseDeployment } from '../releases/release-table.js';
import { type Offer, toUpdateDto } from './update.dto.js';

/** A body that is sent many times. */
export interface Prepared {
  readonly json: string;
  /** Bytes in UTF-8. */
  readonly length: number;
  /** How to send it: text without special characters is sent faster as `latin1`, as the same bytes. */
  readonly encoding: 'latin1' | 'utf8';
}

/** What devices are told of a deployment, as long as it is in memory; for the origin that was asked last. */
const offers = new WeakMap<ReleaseDeployment, Prepared & { readonly origin: string }>();

/** The body of an offer: `UpdateDto`. */
export function preparedOffer(appId: string, offer: Offer, origin: string): Prepared {
  let prepared = offers.get(offer.deployment);
  if (prepared?.origin !== origin) {
    prepared = { ...prepare(JSON.stringify(toUpdateDto(appId, offer, origin))), origin };
    offers.set(offer.deployment, prepared);
  }
  return prepared;
}

/** The body of an error up to the id of the request, which comes last. */
const beginningOf = (error: AppError): string => {
  const { requestId: _last, ...body } = errorBody(error, '');
  return `${JSON.stringify(body).slice(0, -1)},"requestId":"`;
};
const unknownApp = beginningOf(new NotFoundError('App'));
const noUpdates = new Map<DecisionReason, string>();

/** The body of "App not found." @param requestId without characters that JSON escapes */
export function unknownAppResponse(requestId: string): Prepared {
  return prepare(`${unknownApp}${requestId}"}`);
}

/** The body of "No update available …" @param requestId without characters that JSON escapes */
export function noUpdateResponse({ reason }: Decision, requestId: string): Prepared {
  let beginning = noUpdates.get(reason);
  if (beginning === undefined) noUpdates.set(reason, (beginning = beginningOf(new NoUpdateError(reason))));
  return prepare(`${beginning}${requestId}"}`);
}

function prepare(json: string): Prepared {
  const length = Buffer.byteLength(json);
  return { json, length, encoding: length === json.length ? 'latin1' : 'utf8' };
}
