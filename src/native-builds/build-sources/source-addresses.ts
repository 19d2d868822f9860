import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../common/secrets/secret-box.js';
import type { BuildSource } from './build-source.entity.js';

/** The addresses that sources are fetched from: their queries may carry credentials, such as a signature. */
@Injectable()
export class SourceAddresses {
  constructor(private readonly box: SecretBox) {}

  /** The columns of a new source. @param id of the source */
  columnsOf(id: string, address: string): Pick<BuildSource, 'fileUrl' | 'sealedFileUrl'> {
    return { fileUrl: withoutQuery(address), sealedFileUrl: this.box.seal(address, contextOf(id)) };
  }

  /** The whole address; `null`: the source is uploaded. */
  of({ id, fileUrl, sealedFileUrl }: BuildSource): string | null {
    // Older sources have the whole address in `fileUrl` until they are fetched.
    return sealedFileUrl === null ? fileUrl : this.box.open(sealedFileUrl, contextOf(id));
  }
}

/** An address as it may be shown. */
export function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/s, '');
}

function contextOf(id: string): string {
  return `build_sources:${id}`;
}
