import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { errorOf } from '../../common/errors/app-error.js';
import type { Page } from '../../common/pagination/page.js';
import type { PageQuery } from '../../common/pagination/page-query.dto.js';
import { nameKey } from '../../common/validation/name.decorator.js';
import { deleteOrThrow, findOrThrow, findPage, insertOrThrow, updateOrThrow } from '../../database/rows.js';
import type { CreateNoteDto, UpdateNoteDto } from './note.dto.js';
import { Note, NOTES_TITLE_KEY } from './note.entity.js';

const violations = {
  [NOTES_TITLE_KEY]: () => errorOf('note_title_taken'),
};

@Injectable()
export class NotesService {
  constructor(@InjectRepository(Note) private readonly notes: Repository<Note>) {}

  /** The notes of an app, by title. */
  list(appId: string, query: PageQuery): Promise<Page<Note>> {
    return findPage(this.notes, { appId }, query, { titleLower: 'ASC' });
  }

  /** @throws NotFoundError */
  get(appId: string, id: string): Promise<Note> {
    return findOrThrow(this.notes, { appId, id });
  }

  /** @throws ConflictError if the app has a note with this title */
  create(appId: string, { title }: CreateNoteDto): Promise<Note> {
    return insertOrThrow(this.notes, { appId, title, titleLower: nameKey(title) }, violations);
  }

  /**
   * @throws NotFoundError
   * @throws ConflictError if the app has another note with this title
   */
  update(appId: string, id: string, { title }: UpdateNoteDto): Promise<Note> {
    const titleLower = title === undefined ? undefined : nameKey(title);
    return updateOrThrow(this.notes, { appId, id }, { title, titleLower }, violations);
  }

  /** @throws NotFoundError */
  delete(appId: string, id: string): Promise<void> {
    return deleteOrThrow(this.notes, { appId, id });
  }
}
