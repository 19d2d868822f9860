import { v7 as uuid } from 'uuid';
import fc from 'fast-check';
import { cursorOf, positionOf } from './cursor.js';

const organizationId = uuid();
const epochs = fc.option(fc.uuid());

it('keeps a position and its epoch', () => {
  fc.assert(
    fc.property(epochs, fc.maxSafeNat(), (epoch, position) => {
      expect(positionOf(cursorOf(organizationId, { epoch, position }), organizationId)).toEqual({
        epoch,
        position,
      });
    }),
  );
});

it('keeps the cursors that there are, which are those of the first epoch', () => {
  const cursor = 'AQGTWoJ5HnJlu7PywdRVa4kAAAAAAAAAKg';
  const id = '01935a82-791e-7265-bbb3-f2c1d4556b89';
  expect(cursorOf(id, { epoch: null, position: 42 })).toBe(cursor);
  expect(positionOf(cursor, id)).toEqual({ epoch: null, position: 42 });
});

it('takes no cursor of another organization', () => {
  for (const epoch of [null, uuid()]) {
    expect(positionOf(cursorOf(uuid(), { epoch, position: 7 }), organizationId)).toBeNull();
  }
});

it('takes nothing else', () => {
  for (const epoch of [null, uuid()]) {
    const cursor = cursorOf(organizationId, { epoch, position: 7 });
    const others = ['', '7', cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, ` ${cursor}`];
    others.push(`C${cursor.slice(1)}`, cursor.repeat(300), cursor.toLowerCase());
    for (const other of others) expect(positionOf(other, organizationId)).toBeNull();
  }
  for (const length of [1, 25, 33, 41, 1000]) {
    for (const version of [0, 1, 2, 3, 255]) {
      const bytes = Buffer.alloc(length, 255);
      bytes.fill(version, 0, 1);
      expect(positionOf(bytes.toString('base64url'), organizationId)).toBeNull();
    }
  }
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(positionOf(text, organizationId)).toBeNull();
    }),
  );
});
