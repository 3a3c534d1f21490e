/** Parts of this module that its tests use beyond its entry point. */

export { readAppended } from './appended-lines.ts';
export { comparisonCodec, taskNotesCodec } from './documents.ts';
export type { ForkRequest } from './fork-input.ts';
export { makeOpenFolders } from './open-episodes.ts';
export { archivedFileName, parseArchivedFileName, parseEpisodeFileName } from './paths.ts';
export { analysisSchema } from './record.schema.ts';
export type { RecordContext } from './record.ts';
export { ArchivedRecords } from './archived-records.ts';
