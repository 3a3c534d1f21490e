export { ResultsAssembler } from './write.ts';
export {
  asTrialsOfOneRun,
  readResultsFile,
  requireDistinctEpisodes,
  type ResultsFileEntry,
  type ResultsFileMessage,
} from './read.ts';
