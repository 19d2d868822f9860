import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../common/secrets/secret-box.js';
import type { Submission } from '../submissions/submission.entity.js';

/** For a row without an upload: the next one begins at the start. */
export const WITHOUT_UPLOAD = { sealedUpload: null, sentBytes: 0 } as const;

/** Where the bytes of a submission go: addresses that need no other key, sealed in its row. */
@Injectable()
export class SealedUploads {
  constructor(private readonly box: SecretBox) {}

  /** What is written to `sealedUpload`. */
  seal({ id }: Pick<Submission, 'id'>, text: string): string {
    return this.box.seal(text, contextOf(id));
  }

  /** @returns `null`: no upload has begun */
  open({ id, sealedUpload }: Pick<Submission, 'id' | 'sealedUpload'>): string | null {
    return sealedUpload === null ? null : this.box.open(sealedUpload, contextOf(id));
  }
}

function contextOf(id: string): string {
  return `submissions:${id}`;
}
