import { Readable } from 'node:stream';
import { readStart } from './webhook-sender.service.js';

it('keeps the first 4 kB, without half of a character', async () => {
  expect(await readStart(Readable.from([Buffer.from('ok')]))).toBe('ok');
  expect(await readStart(Readable.from([Buffer.from('a'), Buffer.from('€'.repeat(2000))]))).toBe(
    `a${'€'.repeat(1365)}`,
  );
  expect(await readStart(Readable.from([]))).toBe('');
});

it('keeps only what the database can store', async () => {
  expect(await readStart(Readable.from([Buffer.from([0x61, 0, 0xff, 0x62])]))).toBe('a\uFFFDb');
});

it('stops reading after 64 kB, and ends the connection', async () => {
  let sent = 0;
  const endless = new Readable({
    read() {
      sent += 10_000;
      this.push(Buffer.alloc(10_000, 'x'));
    },
  });
  expect(await readStart(endless)).toHaveLength(4096);
  expect(endless.destroyed).toBe(true);
  expect(sent).toBeLessThan(200_000);
});
