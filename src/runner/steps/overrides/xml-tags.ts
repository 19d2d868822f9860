/** An attribute of a tag. */
export interface XmlAttribute {
  readonly name: string;
  readonly value: string;
  /** Where the value is, without quotes. */
  readonly start: number;
  readonly end: number;
}

/** A tag of an XML file. */
export interface XmlTag {
  /** Without `/`. */
  readonly name: string;
  readonly kind: 'open' | 'close' | 'empty';
  readonly attributes: readonly XmlAttribute[];
  /** Where it begins and ends. */
  readonly start: number;
  readonly end: number;
}

/** What is skipped completely, with its end. */
const SKIPPED: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
];
const NAME = /[^\s=/>"']{1,200}/y;
const SPACE = /\s*/y;

/**
 * The tags of an XML file, in order. Only places are needed, so that everything else in the file stays unchanged. Takes
 * time in proportion to the length; a file that is no XML gives some tags or none.
 */
export function* tagsOf(xml: string): Generator<XmlTag> {
  for (let at = xml.indexOf('<'); at !== -1; at = xml.indexOf('<', at)) {
    const skipped = SKIPPED.find(([begin]) => xml.startsWith(begin, at));
    if (skipped !== undefined) {
      const end = xml.indexOf(skipped[1], at + skipped[0].length);
      if (end === -1) return;
      at = end + skipped[1].length;
      continue;
    }
    const tag = readTag(xml, at);
    if (tag === null) return;
    yield tag;
    at = tag.end;
  }
}

/** @returns the attribute; `undefined`: the tag has none of this name */
export function attributeOf(tag: XmlTag, name: string): XmlAttribute | undefined {
  return tag.attributes.find((attribute) => attribute.name === name);
}

/** @returns `null`: it does not end */
function readTag(xml: string, start: number): XmlTag | null {
  const isClose = xml[start + 1] === '/';
  let at = start + (isClose ? 2 : 1);
  const name = match(NAME, xml, at);
  at += name.length;
  const attributes: XmlAttribute[] = [];
  while (at < xml.length) {
    at += match(SPACE, xml, at).length;
    const character = xml[at];
    if (character === '>') {
      const kind = isClose ? 'close' : xml[at - 1] === '/' ? 'empty' : 'open';
      return { name, kind, attributes, start, end: at + 1 };
    }
    const key = match(NAME, xml, at);
    if (key === '') {
      at++;
      continue;
    }
    at += key.length;
    const value = readValue(xml, at);
    if (value === null) continue;
    attributes.push({ name: key, ...value });
    at = value.end + 1;
  }
  return null;
}

/** A value in quotes behind `=`. */
function readValue(xml: string, from: number): Omit<XmlAttribute, 'name'> | null {
  let at = from + match(SPACE, xml, from).length;
  if (xml[at] !== '=') return null;
  at += 1 + match(SPACE, xml, at + 1).length;
  const quote = xml[at];
  if (quote !== '"' && quote !== "'") return null;
  const end = xml.indexOf(quote, at + 1);
  return end === -1 ? null : { value: xml.slice(at + 1, end), start: at + 1, end };
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
