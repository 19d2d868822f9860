import { jest } from '@jest/globals';
import type { SecretBox } from '../../common/secrets/secret-box.js';
import { SealedUploads } from '../flow/sealed-uploads.service.js';
import type { SubmissionRun } from '../flow/submission-run.js';
import type { GooglePlayClient } from './api/google-play-client.js';
import type { UploadProgress } from './api/google-play-responses.js';
import { sendFile } from './upload.js';

const MIB = 1024 * 1024;
const FILE = { what: 'the aab', sizeInBytes: 100 * MIB };
const box = { seal: (text: string) => text, open: (text: string) => text } as unknown as SecretBox;

/** Sends a file in one run to a store that has got so many MiB after each part. */
async function run(sentBytes: number, answers: readonly number[], secondsPerPart = 0) {
  const submission = { id: 's', sealedUpload: 'https://upload.example', sentBytes };
  const context = {
    submission,
    log: () => Promise.resolve(),
    save: (changes: object) => Promise.resolve(void Object.assign(submission, changes)),
  } as unknown as SubmissionRun;
  const left = [...answers];
  let now = 0;
  const next = (): Promise<UploadProgress> => {
    const mebibytes = left.length > 1 ? left.shift() : left[0];
    return Promise.resolve({ done: false, receivedBytes: (mebibytes ?? 0) * MIB });
  };
  const putChunk = (): Promise<UploadProgress> => {
    now += secondsPerPart * 1000;
    return next();
  };
  const client = { uploadedBytes: next, putChunk } as unknown as GooglePlayClient;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const begin = (): Promise<string> => Promise.resolve('');
  const read = (_: number, length: number): Promise<Buffer> => Promise.resolve(Buffer.alloc(length));
  const result = await sendFile(context, client, new SealedUploads(box), { ...FILE, read, begin });
  return { result, sentBytes: submission.sentBytes };
}

afterEach(() => jest.restoreAllMocks());

it('goes on in the next run when the time of one is over, also if the store was slow from the start', async () => {
  expect(await run(0, [0, 8, 16], 20)).toEqual({ result: null, sentBytes: 16 * MIB });
  expect(await run(8 * MIB, [8, 16], 60)).toEqual({ result: null, sentBytes: 16 * MIB });
});

it.each([
  ['takes nothing', 0, [0], 0],
  ['takes nothing, slowly', 8 * MIB, [8], 20],
  ['takes and forgets the same bytes', 0, [0, 8, 0, 8, 0, 8, 0], 0],
  ['forgets what it had in earlier runs', 40 * MIB, [0, 8, 16], 20],
])('ends with a store that %s', async (_, sentBytes, answers, secondsPerPart) => {
  await expect(run(sentBytes, answers, secondsPerPart)).rejects.toThrow('takes no more bytes');
});
