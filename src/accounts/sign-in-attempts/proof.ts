import type { Failure } from '../../pages/views/failure.js';
import type { User } from '../users/user.entity.js';

/** How an attempt to prove an identity ended. */
export type Proof =
  | { readonly result: 'proven'; readonly user: User }
  | { readonly result: 'refused' }
  | { readonly result: 'too-many'; readonly retryAfterSeconds: number };

/** What a page reports about a proof that failed. @param message a sentence for a wrong password or code */
export function failureOf(proof: Exclude<Proof, { result: 'proven' }>, message: string): Failure {
  return proof.result === 'too-many' ? { retryAfterSeconds: proof.retryAfterSeconds } : { message };
}
