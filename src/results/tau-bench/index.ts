export { ResultsAssembler } from './file.ts';
export { readResultsFile, type ResultsFileEntry, type ResultsFileMessage } from './results-reader.ts';
export { asTrialsOfOneRun, requireDistinctEpisodes } from './trials.ts';
