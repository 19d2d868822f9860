import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppAccessModule } from '../app-access/app-access.module.js';
import { Note } from './note.entity.js';
import { NotesController } from './notes.controller.js';
import { NotesService } from './notes.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Note]), AppAccessModule],
  controllers: [NotesController],
  providers: [NotesService],
})
export class NotesModule {}
