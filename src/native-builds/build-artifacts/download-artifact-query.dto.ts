import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional } from 'class-validator';
import { QueryText } from '../../common/validation/query-text.decorator.js';

/** The file name of a download. */
export class FileNameQuery {
  /** File name for `Content-Disposition`; by default the artifact's own. */
  @QueryText()
  fileName?: string;
}

/** A download, with the parameters of a signed address. */
export class DownloadArtifactQuery extends FileNameQuery {
  /** Until when the signed address works, in Unix milliseconds. */
  @ApiPropertyOptional({ type: 'integer' })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? Number(value) : value))
  @IsOptional()
  @IsInt({ message: '$property must be a whole number.' })
  expiresAt?: number;

  /** Signature of the signed address. */
  @QueryText()
  signature?: string;
}
