import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countSource } from '../../scripts/count.js';

/** By how much an area may grow before its budget is raised. */
const TOLERANCE = 1.05;
const LONGEST = 350;

type Budget = Readonly<Record<string, { readonly files: number; readonly lines: number }>>;

/** `npm run count -- --write` writes it. The commit that raises it says why. */
const budget = JSON.parse(readFileSync(join(import.meta.dirname, 'size.json'), 'utf8')) as Budget;
const sizes = countSource();

describe('the size of the source', () => {
  it('has a budget for each area', () => {
    expect(sizes.map(({ area }) => area).sort()).toEqual(Object.keys(budget).sort());
  });

  it.each(sizes)('stays within the budget of $area', ({ area, files, lines }) => {
    expect(files).toBeLessThanOrEqual(budget[area]!.files * TOLERANCE);
    expect(lines).toBeLessThanOrEqual(budget[area]!.lines * TOLERANCE);
  });

  it(`has no file of more than ${LONGEST} lines`, () => {
    expect(sizes.at(-1)!.longest).toBeLessThanOrEqual(LONGEST);
  });
});
