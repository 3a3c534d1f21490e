export { submissionOf, type Submission } from './submission.ts';
export { tau2Tasks, type Tau2Tasks } from './tasks.ts';
export { tau2Results } from './write.ts';
