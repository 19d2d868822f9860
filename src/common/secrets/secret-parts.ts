import { MIN_MASKED } from './secret-forms.js';

/** Shorter texts do not look random: they could be words. In characters. */
const MIN_RANDOM = 16;
/** Shorter values are no keys and tokens, but versions and the like. In characters. */
const MIN_KEY = 6;
/** Shorter numbers are found in every log. In digits. */
const MIN_DIGITS = 8;
/** A text in Base64 in a field of JSON in a variable is as deep as anything that people store. */
const MAX_DEPTH = 4;

/** The last words of names of secrets, and of those whose values are often no words, such as names of keys. */
const PASSWORD = /(?:secret|password|passwd|passphrase|pwd|pass|credential)s?$/;
const KEY = /(?:key|token)s?$/;
/** Last words of names that say something about a secret: `token_uri`, `keyAlias`. */
const ABOUT =
  /^(?:alg|algorithm|alias|count|email|expires|expiry|file|format|id|length|limit|name|path|ring|size|ttl|type|uri|url|user|username|version)$/;

/** Pairs of letters that make nine tenths of English words: of random letters, they make one in five. */
const COMMON = new Set(
  (
    'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ' +
    'ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so ' +
    'rs un lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ' +
    'ig tu ev ld ry mp fe bl ab gh ty op wo sa ay ex ke fr oo av ag if ap gr od bo sp rd do uc bu ei ov by rm ep tt ' +
    'oc fa ef cu'
  ).split(' '),
);

/** A value, and what it is called; `''`: it has no name. */
interface Named {
  readonly name: string;
  readonly value: string;
}

/**
 * The secrets in a secret, which programs print alone: bodies of PEM; values of JSON, dotenv, XML and YAML that are called
 * keys or passwords, or look random; those in addresses. Words, plain addresses and other public fields are none of them.
 *
 * @returns each once, with line ends as they are printed
 */
export function partsOf(secret: string): string[] {
  const found = new Set<string>();
  let level: readonly Named[] = [{ name: '', value: secret }];
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    for (const { name, value } of level) if (isSecret(name, value)) found.add(value);
    const next = level.flatMap(({ name, value }) => valuesIn(name, value));
    level = [...new Map(next.map((named) => [`${named.name}\n${named.value}`, named])).values()];
  }
  if (!/[\r\n]/.test(secret) && parseJson(secret) === undefined) found.add(withoutEscapes(secret));
  found.delete(secret);
  return [...found];
}

/** Whether a text looks as if a program had chosen it: keys, tokens, hashes and the like, also in several lines. */
export function isRandom(text: string): boolean {
  const joined = text.replaceAll(/\s/g, '');
  if (joined.length < MIN_RANDOM || !/^[\w+/~-]+={0,2}$/.test(joined)) return false;
  const plain = joined.replaceAll('-', '');
  const isHex = /^[\da-f]{16,}$/i.test(plain) && /\d.*\d/.test(plain) && /[a-f].*[a-f]/i.test(plain);
  // Words with hyphens, such as names of packages, have pairs of letters that others do not.
  const isMixed = /\d.*\d|[a-z][A-Z]/.test(joined);
  return isHex || naturalShare(joined) < (isMixed ? 0.5 : 0.3);
}

/** Which part of the pairs of characters in a text are those of words and numbers. */
function naturalShare(text: string): number {
  let pairs = 0;
  let natural = 0;
  for (const [chunk] of text.matchAll(/[A-Za-z\d]{2,}/g)) {
    for (let at = 1; at < chunk.length; at++) {
      const pair = chunk.slice(at - 1, at + 1);
      pairs++;
      if (/^(?:\d\d|[A-Za-z][a-z]|[A-Z]{2})$/.test(pair) && isCommon(pair)) natural++;
    }
  }
  return pairs === 0 ? 1 : natural / pairs;
}

function isCommon(pair: string): boolean {
  return /^\d/.test(pair) || COMMON.has(pair.toLowerCase());
}

function isSecret(name: string, value: string): boolean {
  if (value.length < MIN_MASKED || isPlainAddress(value)) return false;
  if (isRandom(value)) return true;
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);
  if (ABOUT.test(words.at(-1) ?? '')) return false;
  if (/^\d+$/.test(value) && value.length < MIN_DIGITS) return false;
  // A password of several words is one; a key of several words is a name.
  if (words.some((word) => PASSWORD.test(word))) return !isWord(value);
  return (
    words.some((word) => KEY.test(word)) &&
    value.length >= MIN_KEY &&
    !value.split(/[^\p{L}\d]+/u).every((part) => isWord(part))
  );
}

/** An address without a password and without a query. What looks random in it is a part of its own. */
function isPlainAddress(value: string): boolean {
  return /^[a-z][a-z\d+.-]{0,20}:\/\/[^\s@?]*$/i.test(value);
}

function isWord(text: string): boolean {
  const isRegular = /^(?:\p{Lu}?\p{Ll}*|\p{Lu}*)$/u.test(text);
  return isRegular && (text.length <= 3 || (text.length < MIN_RANDOM && naturalShare(text) >= 0.5));
}

/** What a text contains, as far as programs read it. */
function valuesIn(name: string, text: string): Named[] {
  if (text.length < MIN_MASKED) return [];
  const parsed = parseJson(text);
  if (parsed !== undefined) return valuesInJson(name, parsed);
  const pems = pemsIn(text);
  const decoded = decodedOf(text);
  return [
    ...pems,
    ...(decoded === null ? [] : [{ name, value: decoded }]),
    ...valuesInXml(text),
    ...text.split(/[\r\n]+/).flatMap((line) => valuesInLine(line)),
  ];
}

/** @returns `undefined`: it is no JSON of objects, arrays or texts */
function parseJson(text: string): unknown {
  if (!/^\s*["[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Values of JSON, without recursion: users choose how deep it is. Members of arrays have the name of the array. */
function valuesInJson(name: string, json: unknown): Named[] {
  const found: Named[] = [];
  const open: { readonly name: string; readonly value: unknown }[] = [{ name, value: json }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value } = next;
    if (typeof value === 'string' || typeof value === 'number') {
      found.push({ name: next.name, value: String(value) });
    } else if (typeof value === 'object' && value !== null) {
      const isArray = Array.isArray(value);
      for (const [key, member] of Object.entries(value)) {
        open.push({ name: isArray ? next.name : key, value: member });
      }
    }
  }
  return found;
}

/** Bodies of PEM, in which line ends can also be spelled. */
function pemsIn(text: string): Named[] {
  const [, ...behind] = text.split(/-----BEGIN [A-Z\d ]{1,60}-----/);
  return behind.map((piece) => {
    const [body = ''] = piece.split('-----END', 1);
    const lines = body.split(/(?:\\+[nr]|\s)+/).filter((line) => /^[A-Za-z\d+/=]+$/.test(line));
    return { name: '', value: lines.join('\n') };
  });
}

/** The text that is stored in Base64, so that it is one line; `null`: there is none. */
function decodedOf(text: string): string | null {
  const base64 = text.replaceAll(/\s/g, '');
  if (base64.length < 24 || !/^[A-Za-z\d+/_-]+={0,2}$/.test(base64)) return null;
  const decoded = Buffer.from(base64, 'base64').toString();
  return /[^\P{C}\s]|\uFFFD/u.test(decoded) ? null : decoded;
}

/** Elements and attributes, whose names can be in an attribute or, in property lists, in an element before. */
function valuesInXml(text: string): Named[] {
  if (!/<[a-z?!]/i.test(text)) return [];
  const isPropertyList = /<(?:plist|dict)\b/.test(text);
  const found: Named[] = [];
  let key = '';
  for (const [, tag = '', inner = '', content = ''] of text.matchAll(/<([\w:.-]{1,100})([^<>]*)>([^<]*)/g)) {
    const attributes = new Map<string, string>();
    for (const [, name = '', double, single] of inner.matchAll(
      /([\w:.-]{1,100})\s?=\s?(?:"([^"]*)"|'([^']*)')/g,
    )) {
      attributes.set(name, unescaped(double ?? single ?? ''));
    }
    const hasValue = attributes.has('value');
    const named = attributes.get('name') ?? (hasValue ? attributes.get('key') : undefined);
    for (const [name, value] of attributes) {
      if (name === 'value') found.push({ name: named ?? tag, value });
      else if (name !== 'name' && !(name === 'key' && hasValue)) found.push({ name, value });
    }
    const value = unescaped(content.trim());
    if (isPropertyList && tag === 'key') key = value;
    else found.push({ name: named ?? (isPropertyList ? key : tag), value });
  }
  return found;
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function unescaped(text: string): string {
  return text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => entities[name] ?? '');
}

/** A line of dotenv, YAML, properties and the like, or of nothing known. */
function valuesInLine(text: string): Named[] {
  const line = text.trim();
  const found: Named[] = [];
  const [, name = '', rest = ''] =
    /^(?:(?:export|-)\s+)?["']?([\w.:/@-]{1,100}?)["']?\s*[:=]\s*(\S.*)$/.exec(line) ?? [];
  const [, , quoted] = /^(["'])(.*)\1\s{0,9}[,;]?(?:\s{1,99}(?:#|\/\/).*)?$/.exec(rest) ?? [];
  if (rest !== '') found.push({ name, value: quoted ?? rest.replace(/\s#.*$/, '').trim() });
  if (quoted !== undefined) found.push({ name, value: withoutEscapes(quoted) });
  for (const [, password = ''] of line.matchAll(/:\/\/[^\s/:@]{0,100}:([^\s/@]{1,1000})@/g)) {
    found.push({ name: 'password', value: decodeUri(password) });
  }
  for (const [, key = '', value = ''] of line.matchAll(/[?&;]([\w.-]{1,100})=([^\s&#"']+)/g)) {
    found.push({ name: key, value: decodeUri(value) });
  }
  // Addresses of accounts are public, and contain numbers.
  const others = line.replaceAll(/[\w.+-]{1,100}@[\w-]{1,100}\.[\w.-]{1,100}/g, ' ');
  for (const [token] of others.matchAll(/[\w+/~-]{14,}={0,2}/g)) {
    const isOne = isRandom(token) && !/^\/\/|:\/\//.test(line);
    for (const value of isOne ? [token] : token.split('/')) found.push({ name: '', value });
  }
  return found.filter(({ value }) => value !== text);
}

/** What JSON and others mean by `\/`, `\u002b` and the like. */
function withoutEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text.replaceAll(/(?<!\\)"/g, '\\"')}"`) as string;
  } catch {
    return text;
  }
}

function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
