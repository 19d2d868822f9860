import { v7 as uuid } from 'uuid';
import { cursorAfter, FIRST_CURSOR, positionIn } from './device-cursor.js';

describe('the cursor of a list of devices', () => {
  const appId = uuid();
  const device = { id: 'my-phone', lastSeenAt: new Date('2026-03-14T12:00:00.123Z') };
  const cursor = cursorAfter(appId, {}, device);

  it('leads back to where it was made', () => {
    expect(cursor).toMatch(/^[\w-]+$/);
    for (const id of ['a', 'x'.repeat(255), 'a b/ü', '..', '🚢'])
      expect(positionIn(cursorAfter(appId, {}, { ...device, id }), appId, {})).toEqual({ ...device, id });
  });

  it('is one of its app and its filters', () => {
    const own = uuid();
    const filters = { platform: '1', bundleId: own };
    const filtered = cursorAfter(appId, filters, device);
    expect(positionIn(filtered, appId, { ...filters, bundleId: own.toUpperCase() })).toEqual(device);
    expect(positionIn(filtered, appId, {})).toBeNull();
    expect(positionIn(filtered, appId, { platform: '1' })).toBeNull();
    expect(positionIn(filtered, appId, { platform: '1', appChannelId: own })).toBeNull();
    expect(positionIn(filtered, uuid(), filters)).toBeNull();
    expect(positionIn(cursor, appId, { customId: '' })).toBeNull();
    expect(positionIn(cursor, appId, { lastSeenFrom: new Date(0) })).toBeNull();
  });

  it('is nothing else', () => {
    const bytes = Buffer.from(cursor, 'base64url');
    const changed = (at: number, ...values: number[]): string =>
      Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(values),
        bytes.subarray(at + values.length),
      ]).toString('base64url');
    for (const text of [
      FIRST_CURSOR,
      '',
      'AA',
      `${cursor}=`,
      ` ${cursor}`,
      cursor.slice(0, 20),
      changed(0, 2),
      changed(3, bytes[3]! ^ 1),
      changed(9, 0x7f, 0xff),
      changed(17, 0xff),
      changed(17, 0),
      'A'.repeat(4000),
    ])
      expect(positionIn(text, appId, {})).toBeNull();
  });
});
