import { PartialType } from '@nestjs/swagger';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { IsName } from '../../common/validation/name.decorator.js';
import type { Note } from './note.entity.js';

/** A new note. */
export class CreateNoteDto {
  /**
   * Unique in the app, ignoring case.
   * @example 'Release checklist'
   */
  @IsName()
  title!: string;
}

/** Changes to a note; absent fields stay unchanged. */
export class UpdateNoteDto extends PartialType(CreateNoteDto, { skipNullProperties: false }) {}

/** A remark about an app. */
export class NoteDto {
  @ApiId()
  id!: string;

  @ApiId()
  appId!: string;

  /** @example 'Release checklist' */
  title!: string;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** The response for a note. */
export function toNoteDto(note: Note): NoteDto {
  return {
    id: note.id,
    appId: note.appId,
    title: note.title,
    createdAt: note.createdAt.toISOString(),
    updatedAt: note.updatedAt.toISOString(),
  };
}
