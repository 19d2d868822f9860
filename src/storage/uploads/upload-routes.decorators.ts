import { applyDecorators, HttpCode, Post, Put, UseInterceptors } from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import type { ErrorCode } from '../../common/errors/catalogue/error-catalogue.js';
import { ApiSuccess } from '../../common/openapi/api-success.decorator.js';
import { OwnTransactions } from '../../database/transactions/own-transactions.decorator.js';
import { CompleteUploadDto } from './file-upload.dto.js';

/**
 * The POST of uploads in parts, for a handler that calls `UploadsService.post`.
 *
 * @param errors of the resource
 */
export function PostUpload(path: string, ...errors: ErrorCode[]): MethodDecorator {
  return applyDecorators(
    Post(path),
    HttpCode(200),
    OwnTransactions(),
    ApiSuccess('The id of the upload that was started; for `mpu-complete`, an empty object.'),
    ApiBody({ type: CompleteUploadDto, required: false }),
    ApiErrors(
      'conflict',
      'file_upload_not_found',
      'insufficient_storage',
      'storage_quota_exceeded',
      'storage_unavailable',
      ...errors,
    ),
  );
}

/**
 * The PUT of uploads in parts, for a handler that calls `UploadsService.put`.
 *
 * @param errors of the resource
 */
export function PutUpload(path: string, ...errors: ErrorCode[]): MethodDecorator {
  return applyDecorators(
    Put(path),
    OwnTransactions(),
    UseInterceptors(FileInterceptor('blob')),
    ApiSuccess('The stored part.'),
    ApiConsumes('multipart/form-data'),
    ApiErrors(
      'file_upload_not_found',
      'insufficient_storage',
      'storage_quota_exceeded',
      'storage_unavailable',
      ...errors,
    ),
  );
}
