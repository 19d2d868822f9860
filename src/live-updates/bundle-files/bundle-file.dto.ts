import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Equals, IsMimeType, MaxLength } from 'class-validator';
import { ApiId } from '../../common/openapi/api-fields.decorators.js';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { IsWholeNumber } from '../../common/validation/is-whole-number.decorator.js';
import { IsAbsentOr, IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { IsTextThat } from '../../common/validation/satisfies.decorator.js';
import { IsBase64Signature, IsSha256 } from '../bundle-content/file-digests.decorators.js';
import { toInteger } from '../../storage/uploads/file-upload.dto.js';
import { isHref, MAX_HREF_BYTES } from '../bundle-content/href.js';

/** The file that was stored or announced. */
export class BundleFileDto {
  @ApiId()
  id!: string;
}

/** Largest file of a bundle: 1 GiB. */
const MAX_FILE_BYTES = 1024 ** 3;

/** A file of a bundle. Larger ones are announced without the part `file`; their bytes follow in parts. */
export class CreateBundleFileDto {
  /** The bytes; absent when they follow in parts. */
  @ApiPropertyOptional({ type: 'string', format: 'binary' })
  @IsAbsentOr()
  @Equals(undefined, { message: '$property must be sent as a file, with a file name.' })
  file?: unknown;

  /**
   * SHA-256 of the whole file, hexadecimal.
   * @example '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
   */
  @IsSha256()
  checksum!: string;

  /**
   * Path of the file inside a bundle in manifest form, without leading slash; a file of the same path is replaced.
   * @example 'assets/app.js'
   */
  @IsEmptyOr()
  @IsHref()
  href?: string;

  /** @example 'text/javascript' */
  @MaxLength(255, { message: '$property must be at most 255 characters long.' })
  @IsMimeType({ message: '$property must be a media type such as text/javascript.' })
  mimeType!: string;

  /** @example 'app.js' */
  @IsText(1024)
  name!: string;

  /** Signature of the whole file, Base64 (RSA PKCS#1 v1.5 over SHA-256). */
  @IsEmptyOr()
  @IsBase64Signature()
  signature?: string;

  /**
   * Bytes of the whole file, at most 1 GiB.
   * @example 482133
   */
  @Transform(({ value }: { value: unknown }) => toInteger(value))
  @IsWholeNumber(0, MAX_FILE_BYTES)
  sizeInBytes!: number;
}

function IsHref(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: 'string', maxLength: MAX_HREF_BYTES }),
    IsTextThat(isHref, '$property must be a relative path inside the bundle, such as assets/app.js.'),
  );
}
