import { InvalidRequestError } from '../errors/app-error.js';
import { parseIfMatch } from './if-match.js';

describe('parseIfMatch', () => {
  it('takes none and * as no condition', () => {
    for (const header of [undefined, '*', ' * ']) expect(parseIfMatch(header)).toBeUndefined();
  });

  it('reads lists, weak tags, commas within tags and empty entries', () => {
    expect(parseIfMatch('"a"')).toEqual(['"a"']);
    expect(parseIfMatch('"a", W/"b" ,"c,d"')).toEqual(['"a"', 'W/"b"', '"c,d"']);
    expect(parseIfMatch(' ,"a",, "" ,')).toEqual(['"a"', '""']);
  });

  it.each(['', ' ', ',', 'a', '"a', '"a" "b"', '"a b"', 'w/"a"', '*, "a"', '"a", *', '"a";'])(
    'refuses %j',
    (header) => {
      expect(() => parseIfMatch(header)).toThrow(InvalidRequestError);
    },
  );

  it('takes no time for what is long and wrong', () => {
    const began = Date.now();
    for (const part of ['"a",', '"a" ', ', ', ',', ' ', '"']) {
      expect(() => parseIfMatch(`${part.repeat(4000)}x`)).toThrow(InvalidRequestError);
    }
    expect(Date.now() - began).toBeLessThan(500);
  });
});
