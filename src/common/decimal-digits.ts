/**
 * The zeros of all scripts but ASCII; the nine code points after each are 1 to 9. All decimal digits of Unicode 17 (category
 * Nd): https://www.unicode.org/Public/17.0.0/ucd/extracted/DerivedGeneralCategory.txt
 */
const ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
  0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50,
  0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30, 0x10d40, 0x11066, 0x110f0,
  0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x116d0, 0x116da, 0x11730, 0x118e0, 0x11950,
  0x11bf0, 0x11c50, 0x11d50, 0x11da0, 0x11de0, 0x11f50, 0x16130, 0x16a60, 0x16ac0, 0x16b50, 0x16d70, 0x1ccf0,
  0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e4f0, 0x1e5f1, 0x1e950, 0x1fbf0,
];
const VALUES = '0123456789';

const valueOf: ReadonlyMap<string, string> = new Map(
  ZEROS.flatMap((zero) => [...VALUES].map((value) => [String.fromCodePoint(zero + Number(value)), value])),
);

/** A text in which the decimal digits of all scripts are those of ASCII, such as `21` for `٢١`. */
export function withAsciiDigits(text: string): string {
  if (!/[^ -~]/.test(text)) return text;
  return text.replace(/\p{Nd}/gu, (digit) => valueOf.get(digit) ?? digit);
}

/** The same in SQL. @param column an expression of type `text` */
export function asciiDigitsOf(column: string): string {
  // What has as many bytes as characters is ASCII.
  return `CASE WHEN octet_length(${column}) = length(${column}) THEN ${column}
               ELSE translate(${column}, '${[...valueOf.keys()].join('')}', '${VALUES.repeat(ZEROS.length)}') END`;
}
