export { ResultsAssembler, assembleResultsFile } from './write.ts';
export { resultsFileIn, resultsName, simulationsFolder } from './place.ts';
export { asTrialsOfOneRun, readRawEntry, readResultsFile, requireDistinctEpisodes } from './read.ts';
