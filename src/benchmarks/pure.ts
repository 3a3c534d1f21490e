/** Parts of benchmarks that workflow code needs: rules and grades, without the code of domains. */

export { undecidedSentences, withJudgeProblem, withVerdicts, type Grade } from './grade.ts';
export type { SentenceJudging } from './grading.ts';
export { BASE, SweepOrder, countEpisodes, type EpisodeKey, type SweepPlan } from './plan.ts';
export { DEFAULTS, getBenchmark } from './registry.ts';
export { EPISODE_RULES, isAgentFirst, isUsersCall, type EpisodeRules } from './rules.ts';
export { isServiceDomain, REQUEST_TIMEOUT_S } from './service/domain.ts';
export type { GradeOutput } from './tau-bench/reward-info.ts';
export { findAction, textActionOf, type TrajectoryForm } from './trajectory.ts';
export { RESPOND, STOP_MARKER, type Action, type SentenceVerdict, type StepResult, type Task } from './types.ts';
