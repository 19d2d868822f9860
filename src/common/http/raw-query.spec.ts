import { rawQueryValue, readingsOf } from './raw-query.js';

describe('rawQueryValue', () => {
  it('finds a value wherever it stands, still encoded', () => {
    expect(rawQueryValue('/download?x=1&href=a%2Fb.js', 'href')).toBe('a%2Fb.js');
    expect(rawQueryValue('/download?href=a/b.js', 'href')).toBe('a/b.js');
    expect(rawQueryValue('/download?href=a=b', 'href')).toBe('a=b');
  });

  it('takes bare keys, empty values and missing ones as absent', () => {
    for (const url of ['/d', '/d?', '/d?href', '/d?href=', '/d?hrefs=1', '/d?x=href']) {
      expect(rawQueryValue(url, 'href')).toBeNull();
    }
  });
});

describe('readingsOf', () => {
  it('reads a plus as a space first, then as itself', () => {
    expect(readingsOf('a+b%20c')).toEqual(['a b c', 'a+b c']);
  });

  it('has one reading when there is no plus', () => {
    expect(readingsOf('a%2Bb%C3%BC')).toEqual(['a+bü']);
  });
});
