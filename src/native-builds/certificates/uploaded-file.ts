import { invalidField } from '../../common/errors/app-error.js';
import type { Certificate } from './certificate.entity.js';

const FILE_NAME = /^[^\p{C}/\\]{1,255}$/u;
const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;

/** A file part of a multipart request, in memory. */
export type UploadedCertificate = Pick<Express.Multer.File, 'buffer' | 'mimetype' | 'originalname' | 'size'>;

type FileColumns = Pick<Certificate, 'fileName' | 'fileMimeType' | 'fileSizeInBytes'>;

/** What is stored about a file. @throws InvalidRequestError when there is none, or it has no usable name */
export function fileColumnsOf(file: UploadedCertificate | undefined): FileColumns {
  if (file === undefined) throw invalidField('file', 'file is required.');
  if (!FILE_NAME.test(file.originalname)) {
    throw invalidField('file', 'file must have a file name of 1 to 255 visible characters.');
  }
  const fileMimeType = MEDIA_TYPE.test(file.mimetype) ? file.mimetype : 'application/octet-stream';
  return { fileName: file.originalname, fileMimeType, fileSizeInBytes: file.size };
}
