export { ResultsAssembler, assembleResultsFile } from './write.ts';
export {
  asTrialsOfOneRun,
  readRawEntry,
  readResultsFile,
  rewardInfoSchema,
  requireDistinctEpisodes,
  type ResultsFileEntry,
  type ResultsFileMessage,
} from './read.ts';
