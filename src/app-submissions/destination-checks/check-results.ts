import { StoreRefusal } from '../calls/refusals/refusal.js';
import { StoreUnreachableError } from '../calls/store-unreachable.error.js';
import type { DestinationCheckDto, DestinationCheckName } from './destination-check.dto.js';

/** A check that is ok. */
export function passed(name: DestinationCheckName, message: string): DestinationCheckDto {
  return { name, ok: true, message, storeMessage: null, link: null };
}

/** A check that is not. @param link where to act */
export function failed(
  name: DestinationCheckName,
  message: string,
  link: string | null = null,
): DestinationCheckDto {
  return { name, ok: false, message, storeMessage: null, link };
}

/** A check that a call of a store has ended. @throws the error itself when it is not about the store */
export function failedBy(name: DestinationCheckName, error: unknown): DestinationCheckDto {
  if (error instanceof StoreRefusal) {
    const { sentence, link = null } = error.refusal;
    return { ...failed(name, sentence, link), storeMessage: error.storeMessage };
  }
  if (!(error instanceof StoreUnreachableError)) throw error;
  return failed(name, `The store did not answer: ${error.message} Try again later.`);
}

/** Whether the destination has what submissions need. @param fields names in requests of what is missing */
export function configurationCheck(fields: readonly string[], said: string): DestinationCheckDto {
  if (fields.length === 0) return passed('configuration', said);
  const them = fields.length === 1 ? 'it' : 'them';
  return failed('configuration', `Submissions need ${fields.join(', ')}: set ${them} at the destination.`);
}
