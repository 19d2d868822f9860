import { validateSync } from 'class-validator';
import { IsAdHocVariables } from './ad-hoc-variables.decorator.js';

class Body {
  @IsAdHocVariables()
  adHocEnvironmentVariables: unknown;
}

/** The message about a value; `null`: it is accepted. */
function refusal(value: unknown): string | null {
  const [error] = validateSync(Object.assign(new Body(), { adHocEnvironmentVariables: value }));
  return error === undefined ? null : Object.values(error.constraints ?? {}).join();
}

const many = (count: number, value: string): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`KEY_${index}`, value]));

describe('variables of a single build', () => {
  it('are texts by key', () => {
    for (const value of [null, {}, { A: '', b_1: 'x\ny' }, many(100, 'x'), many(3, 'x'.repeat(32_768))]) {
      expect(refusal(value)).toBeNull();
    }
  });

  it.each([
    ['no object', ['A'], 'must be an object'],
    ['a text', 'A=1', 'must be an object'],
    ['a number as value', { A: 1 }, 'must be an object of texts'],
    ['a reserved key', { A: '1', CI_X: '1' }, 'CI_X'],
    ['a key of objects', JSON.parse('{"__proto__": "x"}'), '__proto__'],
    ['a key with a line break', { 'A\n': '1' }, 'must be a name'],
    ['too many', many(101, 'x'), 'at most 100'],
    ['too much', many(4, 'ü'.repeat(16_384)), 'together'],
  ])('are not %s', (_what, value, message) => {
    expect(refusal(value)).toContain(message);
    expect(refusal(value)).toMatch(/^adHocEnvironmentVariables .*\.$/s);
  });
});
