export { notedTasksOf, taskNotesOf, type FindPack } from './notes.ts';
