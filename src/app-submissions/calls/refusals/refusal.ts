import type { ReleaseLook } from '../../releases/release-look.js';

/** What the engine does about a refusal, besides waiting. */
export type RefusalAction =
  /** Sign in again and repeat the call. */
  | 'new-token'
  /** The edit is gone: begin with another one. */
  | 'new-edit'
  /** The address of the upload is gone or unusable: begin the upload with another one. */
  | 'new-upload'
  /** What the call wants has already happened. */
  | 'done'
  /** Google still unpacks the upload: wait and repeat the call in the same edit. */
  | 'wait-for-processing'
  /** Commit with `changesNotSentForReview=true`. */
  | 'not-sent-for-review'
  /** Commit without `changesNotSentForReview`. */
  | 'send-for-review'
  /** Upload with `ackBundleInstallationWarning=true`. */
  | 'ack-size-warning'
  /** Continue if the store has the same file under this version code, otherwise fail. */
  | 'same-file'
  /** Others use up the calls that the store allows for the key: wait for them, without counting attempts. */
  | 'wait-for-quota';

/** What a refusal of a store means for the user and for the engine. */
export interface Refusal {
  /** Stable, in snake_case, such as `package_not_found`. */
  readonly code: string;
  /** What is wrong, what to do and whether a retry helps; at most 300 characters. */
  readonly sentence: string;
  /** `again`: automatically; `never`: not with the same input; `after-action`: once the user has acted. */
  readonly retry: 'again' | 'never' | 'after-action';
  /** Where the user acts. */
  readonly link?: string;
  readonly does?: RefusalAction;
  /** Seconds to wait at least before the next attempt. */
  readonly afterSeconds?: number;
}

/** A store answered, but not with what was asked for. */
export class StoreRefusal extends Error {
  constructor(
    readonly refusal: Refusal,
    /** Of HTTP. */
    readonly status: number,
    /** What the store said, as one line without e-mail addresses and secrets; `null`: nothing readable. */
    readonly storeMessage: string | null,
    /** Where the release is, which the refusal of a change of it has shown; `null`: nothing new. */
    readonly release: ReleaseLook | null = null,
  ) {
    super(refusal.sentence);
    this.name = 'StoreRefusal';
  }
}

/** Whether a store has said no to a write, or it was not sent: nothing has changed. */
export function isDefinite({ status, refusal }: StoreRefusal): boolean {
  return (status >= 400 && status < 500 && status !== 408) || refusal.does === 'wait-for-quota';
}

/** What Slipway refuses itself, before the store would. */
export function refused(code: string, sentence: string, more: Partial<Refusal> = {}): StoreRefusal {
  return new StoreRefusal({ code, sentence, retry: 'never', ...more }, 0, null);
}

/** The words of a store, for the log. @param store its name */
export function quoteOf(store: string, { storeMessage }: StoreRefusal): string[] {
  return storeMessage === null ? [] : [`${store} says: ${storeMessage}`];
}

export function destinationChanged(what: string): StoreRefusal {
  return refused(
    'destination_changed',
    `The ${what} of the destination was changed or removed while the submission ran. Submit again.`,
  );
}

/** @param kind of the key, such as `API key of App Store Connect` */
export function keyIsGone(kind: string): StoreRefusal {
  return refused(
    'store_key_gone',
    `The destination has no usable ${kind} any more. Upload one, set it at the destination and submit again.`,
    { retry: 'after-action' },
  );
}
