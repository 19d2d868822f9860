import { errorBody } from '../../common/errors/error-body.js';
import type { AppError } from '../../common/errors/app-error.js';
import type { ReleaseDeployment } from '../releases/release-table.js';
import type { OfferForm } from './offer-form.js';
import { type Offer, toUpdateDto } from './update.dto.js';

/** A response body that is sent many times. */
export interface PreparedBody {
  readonly json: string;
  /** Bytes in UTF-8. */
  readonly length: number;
  /** How to send it: Node.js sends ASCII faster as `latin1`, as the same bytes. */
  readonly encoding: 'latin1' | 'utf8';
}

type PreparedOffers = WeakMap<ReleaseDeployment, PreparedBody & { readonly origin: string }>;

/** The body for each deployment in memory, in each form, for the origin of the last request. */
const preparedOffers: Readonly<Record<OfferForm, PreparedOffers>> = {
  published: new WeakMap(),
  'generated-zip': new WeakMap(),
};

/** The body of an offer: `UpdateDto`. */
export function preparedOffer(appId: string, offer: Offer, origin: string): PreparedBody {
  const offers = preparedOffers[offer.form];
  let prepared = offers.get(offer.deployment);
  if (prepared?.origin !== origin) {
    prepared = { ...prepare(JSON.stringify(toUpdateDto(appId, offer, origin))), origin };
    offers.set(offer.deployment, prepared);
  }
  return prepared;
}

/** The body of each error up to the id of the request, which comes last. */
const errorStarts = new WeakMap<AppError, string>();

/**
 * The body of an error.
 *
 * @param error one of the few that update checks share
 * @param requestId without characters that JSON escapes
 */
export function preparedError(error: AppError, requestId: string): PreparedBody {
  let start = errorStarts.get(error);
  if (start === undefined) {
    const { requestId: _last, ...body } = errorBody(error, '');
    start = `${JSON.stringify(body).slice(0, -1)},"requestId":"`;
    errorStarts.set(error, start);
  }
  return prepare(`${start}${requestId}"}`);
}

function prepare(json: string): PreparedBody {
  const length = Buffer.byteLength(json);
  return { json, length, encoding: length === json.length ? 'latin1' : 'utf8' };
}
