import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Requires } from '../../common/access/requires.decorator.js';
import { ApiErrors } from '../../common/errors/api-errors.decorator.js';
import { IdParam } from '../../common/http/id-param.decorator.js';
import { ApiPage } from '../../common/pagination/api-page.decorator.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { sendPage } from '../../common/pagination/page.js';
import { CurrentApp } from '../app-access/current-app.decorator.js';
import type { App } from '../apps/app.entity.js';
import { CreateNoteDto, NoteDto, toNoteDto, UpdateNoteDto } from './note.dto.js';
import { NotesService } from './notes.service.js';

@ApiTags('Apps')
@Controller('apps/:appId/notes')
export class NotesController {
  constructor(private readonly notes: NotesService) {}

  /** Lists the notes of an app, by title. */
  @Get()
  @Requires('apps:read')
  @ApiPage(NoteDto)
  async list(
    @CurrentApp() app: App,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NoteDto[]> {
    return sendPage(response, query, await this.notes.list(app.id, query), toNoteDto);
  }

  /** Creates a note. */
  @Post()
  @Requires('apps:write')
  @ApiErrors('note_title_taken')
  async create(@CurrentApp() app: App, @Body() body: CreateNoteDto): Promise<NoteDto> {
    return toNoteDto(await this.notes.create(app.id, body));
  }

  /** Gets a note. */
  @Get(':noteId')
  @Requires('apps:read')
  async get(@CurrentApp() app: App, @IdParam('noteId') noteId: string): Promise<NoteDto> {
    return toNoteDto(await this.notes.get(app.id, noteId));
  }

  /** Changes a note; absent fields stay unchanged. */
  @Patch(':noteId')
  @Requires('apps:write')
  @ApiErrors('note_title_taken')
  async update(
    @CurrentApp() app: App,
    @IdParam('noteId') noteId: string,
    @Body() body: UpdateNoteDto,
  ): Promise<NoteDto> {
    return toNoteDto(await this.notes.update(app.id, noteId, body));
  }

  /** Deletes a note. */
  @Delete(':noteId')
  @HttpCode(204)
  @Requires('apps:write')
  async delete(@CurrentApp() app: App, @IdParam('noteId') noteId: string): Promise<void> {
    await this.notes.delete(app.id, noteId);
  }
}
