import { JsonValue } from '../../../common/json-value.js';
import { maskPrivate } from '../../calls/mask-private.js';
import { pageText } from '../../calls/response-text.js';
import { parseJson } from '../../calls/response-text.js';
import { type Refusal, StoreRefusal } from '../../calls/refusals/refusal.js';

/** Errors of one answer that are read. */
const MAX_ERRORS = 100;
/** How deep associated errors are read. */
const MAX_DEPTH = 4;
/** Characters of all errors together, for the log. */
const MAX_MESSAGE = 3000;

/** One error of an answer, or of an upload. */
export interface AppleError {
  /** Such as `ENTITY_ERROR.ATTRIBUTE.INVALID` or `90189`; empty: none. */
  readonly code: string;
  /** Title and detail, as one line. */
  readonly words: string;
  /** The member of the request that it is about, such as `/data/attributes/whatsNew`; empty: none. */
  readonly pointer: string;
  /** The resource that an associated error is about, such as `/v1/ageRatingDeclarations/1`; empty: the error is no such one. */
  readonly path: string;
  /** It only says that there are others. */
  readonly isUmbrella: boolean;
}

/** What an answer says: all its errors, also the associated ones. */
export interface AppleErrors {
  readonly errors: readonly AppleError[];
  /** One line without e-mail addresses and secrets; `null`: nothing readable. */
  readonly message: string | null;
}

/** What Apple says about an upload. */
export interface AppleMessage {
  /** Such as `90189`; `null`: none. */
  readonly code: string | null;
  readonly description: string | null;
}

/** The answer is not what the API documents: no JSON, another shape, a page of a proxy, a redirect. */
export const UNUSABLE: Refusal = {
  code: 'store_answer_unusable',
  sentence:
    'App Store Connect answered with something that its API does not document. Slipway tries again. If that goes on, ask the operator of this server to check its connection to App Store Connect, then submit again.',
  retry: 'again',
  afterSeconds: 5,
};

/** Reads `{errors: [{code, title, detail, source, meta: {associatedErrors: {path: [errors]}}}]}`, or anything else. */
export function readAppleErrors(text: string): AppleErrors {
  const errors: AppleError[] = [];
  collect(parseJson(text)?.get('errors') ?? new JsonValue(undefined), '', 0, errors);
  if (errors.length > 0) return { errors, message: messageOf(errors) };
  const page = pageText(text);
  return { errors, message: page === null ? null : maskPrivate(page) };
}

/** The errors of an upload that has failed. Some have their code in the text only, as in "ITMS-90189". */
export function readMessages(messages: readonly AppleMessage[]): AppleErrors {
  const errors = messages.slice(0, MAX_ERRORS).map(({ code, description }) => {
    const words = description ?? '';
    const [found] = /\b9\d{4}\b/.exec(code ?? '') ?? /\b9\d{4}\b/.exec(words) ?? [];
    return { code: found ?? code ?? '', words, pointer: '', path: '', isUmbrella: false };
  });
  return { errors, message: errors.length === 0 ? null : messageOf(errors) };
}

/** What Apple says about an upload, in one line. */
export function lineOf({ code, description }: AppleMessage): string {
  return [code, description].filter((part) => part !== null && part !== '').join(': ') || 'no words';
}

/** The error of an answer that has another form than the API documents. */
export function unusable(status: number, text: string): StoreRefusal {
  return new StoreRefusal(UNUSABLE, status, readAppleErrors(text).message);
}

function collect(list: JsonValue, path: string, depth: number, errors: AppleError[]): void {
  for (const item of list.items) {
    if (errors.length >= MAX_ERRORS) return;
    const associated = item.get('meta', 'associatedErrors');
    const lists = depth < MAX_DEPTH ? associated.entries : [];
    errors.push({
      code: item.get('code').text ?? '',
      words: wordsOf(item),
      pointer: item.get('source', 'pointer').text ?? path,
      path,
      isUmbrella: lists.some(([, others]) => others.items.length > 0),
    });
    for (const [name, others] of lists) collect(others, name, depth + 1, errors);
  }
}

function wordsOf(item: JsonValue): string {
  const parts = [item.get('title').text, item.get('detail').text].filter((part) => part !== null);
  return [...new Set(parts)].join(' - ');
}

function messageOf(errors: readonly AppleError[]): string {
  const lines = errors.map(({ code, words, pointer }) => {
    const where = [code, ...(pointer === '' ? [] : [`at ${pointer.slice(0, 200)}`])].join(' ');
    return [words, ...(where === '' ? [] : [`(${where})`])].join(' ').trim();
  });
  const text = [...new Set(lines)].join('; ');
  return maskPrivate(text.length <= MAX_MESSAGE ? text : `${text.slice(0, MAX_MESSAGE).toWellFormed()}…`);
}
