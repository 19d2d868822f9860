import { v7 as uuid } from 'uuid';
import fc from 'fast-check';
import { cursorOf, positionOf } from './cursor.js';

const organizationId = uuid();

it('keeps a position', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (position) => {
      expect(positionOf(cursorOf(organizationId, position), organizationId)).toBe(position);
    }),
  );
});

it('takes no cursor of another organization', () => {
  expect(positionOf(cursorOf(uuid(), 7), organizationId)).toBeNull();
});

it('takes nothing else', () => {
  const cursor = cursorOf(organizationId, 7);
  const others = ['', '7', cursor.slice(1), `${cursor}A`, `${cursor}=`, ` ${cursor}`, cursor.toLowerCase()];
  others.push(`C${cursor.slice(1)}`, Buffer.alloc(25, 255).toString('base64url'));
  for (const other of others) expect(positionOf(other, organizationId)).toBeNull();
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(positionOf(text, organizationId)).toBeNull();
    }),
  );
});
