import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { IsName, nameKey } from './name.decorator.js';

class Named {
  @IsName()
  name!: unknown;
}

function check(name: unknown): { name: unknown; problems: string[] } {
  const named = plainToInstance(Named, { name });
  const problems = validateSync(named, { stopAtFirstError: true }).flatMap(({ constraints }) =>
    Object.values(constraints ?? {}),
  );
  return { name: named.name, problems };
}

describe('IsName', () => {
  it.each(['a', 'production', 'Straße 7', '日本', '👩‍👩‍👧', 'a'.repeat(128), '😀'.repeat(128), '-', '0'])(
    'takes %j',
    (name) => {
      expect(check(name)).toEqual({ name, problems: [] });
    },
  );

  it('removes the spaces around it', () => {
    expect(check(' \u00a0a b\n')).toEqual({ name: 'a b', problems: [] });
  });

  it.each(['', ' ', '\u00a0', '\u200b', '\u2060', 'a'.repeat(129), '😀'.repeat(129)])(
    'refuses %j because of its length',
    (name) => {
      expect(check(name).problems).toEqual(['name must be 1 to 128 visible characters long.']);
    },
  );

  it.each([
    'a\nb',
    'a\tb',
    'a\u0000b',
    'a\u001bb',
    'a\u007fb',
    'a\u0085b',
    'a\u2028b',
    'a\u202eb',
    'a\u2066b',
  ])('refuses %j because of what it holds', (name) => {
    expect(check(name).problems).toEqual(['name must not contain control characters.']);
  });

  it.each([undefined, null, 5, true, {}, ['a']])('refuses %j because it is no text', (name) => {
    expect(check(name).problems).toEqual(['name is required and must be a string.']);
  });
});

describe('nameKey', () => {
  it('is the same for names that look the same', () => {
    expect(nameKey('PRODUCTION')).toBe(nameKey('production'));
    expect(nameKey('Gru\u0308n')).toBe(nameKey('grün'));
  });

  it('differs for other names', () => {
    expect(nameKey('production')).not.toBe(nameKey('production '));
    expect(nameKey('a')).not.toBe(nameKey('ä'));
  });
});
