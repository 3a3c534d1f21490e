export { ResultsAssembler } from './write.ts';
export {
  asTrialsOfOneRun,
  readResultsFile,
  rewardInfoSchema,
  requireDistinctEpisodes,
  type ResultsFileEntry,
  type ResultsFileMessage,
} from './read.ts';
