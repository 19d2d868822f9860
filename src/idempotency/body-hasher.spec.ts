import { randomBytes } from 'node:crypto';
import { BodyHasher, differs } from './body-hasher.js';

const [older, current] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];

describe('hashes of bodies', () => {
  it('need the key', () => {
    const [hash] = new BodyHasher([current]).hash('{"password":"1234"}');
    expect(hash).toMatch(/^[0-9a-f]{8}\.[0-9a-f]{64}$/);
    expect(new BodyHasher([current]).hash(Buffer.from('{"password":"1234"}'))).toEqual([hash]);
    expect(new BodyHasher([current]).hash('{"password":"1235"}')).not.toEqual([hash]);
    expect(new BodyHasher([older]).hash('{"password":"1234"}')).not.toEqual([hash]);
  });

  it('are found again after a change of the key', () => {
    const [before] = new BodyHasher([older]).hash('body');
    const [now, then] = new BodyHasher([current, older]).hash('body');
    expect(then).toBe(before);
    expect(now).not.toBe(before);
  });

  it('differ when the bodies do, as far as the key is known', () => {
    const [stored = ''] = new BodyHasher([older]).hash('body');
    expect(differs(stored, new BodyHasher([current, older]).hash('body'))).toBe(false);
    expect(differs(stored, new BodyHasher([current, older]).hash('other'))).toBe(true);
    expect(differs(stored, new BodyHasher([current]).hash('other'))).toBe(false);
  });
});
