/** Flags of `run` that only some strategies have, as the strategies describe themselves. */

import { Option, type Command } from 'commander';
import { strategies, type StrategyDefinition, type StrategySetting } from '../../agents/index.ts';
import { userCompat } from '../../users/index.ts';
import { modelRoles } from './role-options.ts';

const all = Object.values(strategies);

/** Adds settings of strategies, models by role, and a section on the names that `--compat` takes. */
export function addStrategyFlags(run: Command): void {
  const settings = 'Settings of some agent strategies:';
  const setting = (flag: string, description: string) =>
    run.addOption(new Option(flag, description).helpGroup(settings));
  setting('--compat <names...>', 'bring defects of the original back, as a b or a,b; the names are below');
  setting('--decision-only', `plan actions and print them as JSON, without any step (${able('decisionOnly')})`);
  setting('--tool-names <command=tool...>', `tools that commands stand for under another name (${able('toolNames')})`);
  setting(
    '--parameter-tries <n>',
    `how often a command's parameters may be given (${able('parameterTries')}; default: 1)`,
  );
  setting(
    '--intent-ranker <lexical|llm>',
    `what ranks commands for words that name none (${able('intentRanker')}; default: lexical)`,
  );
  setting(
    '--few-shot-leave-out',
    `show no displays of a task's own customer, orders or reservations (${able('fewShots')})`,
  );
  for (const { name } of modelRoles) {
    // Four flags a role would drown the others; their section tells how they are made.
    for (const ending of ['model <model>', 'model-provider <name>', 'temperature <t>', 'max-completion-tokens <n>']) {
      run.addOption(new Option(`--${name}-${ending}`).hideHelp());
    }
  }
  run.addHelpText('after', () => `${rolesHelp(run)}\n${compatHelp(run)}`);
}

function rolesHelp(run: Command): string {
  const heading =
    'Models by role, each with --<role>-model, --<role>-model-provider, --<role>-temperature, ' +
    "--<role>-max-completion-tokens (default: the agent's):";
  const items = modelRoles.map(({ name, description }) => {
    const who = namesOf((strategy) => strategy.modelRoles?.some((role) => role.name === name) ?? false);
    return [name, `${description} (${who})`] as const;
  });
  return section(run, heading, items);
}

/** Every name that `--compat` takes, with what it does. */
function compatHelp(run: Command): string {
  const ofAgents = all.map(({ name, compat = {} }) => ({ who: `agent strategy is ${name}`, compat }));
  const ofUsers = Object.entries(userCompat).map(([name, compat]) => ({ who: `user strategy is ${name}`, compat }));
  return [...ofAgents, ...ofUsers]
    .filter(({ compat }) => Object.keys(compat).length > 0)
    .map(({ who, compat }) => section(run, `Names for --compat, where the ${who}:`, Object.entries(compat)))
    .join('\n');
}

/** As commander sets its own sections. */
function section(run: Command, heading: string, items: readonly (readonly [term: string, text: string])[]): string {
  const helper = run.createHelp();
  helper.prepareContext({ helpWidth: run.configureOutput().getOutHelpWidth?.() ?? 80 });
  const longest = Math.max(...items.map(([term]) => term.length));
  return ['', heading, ...items.map(([term, text]) => helper.formatItem(term, longest, text, helper))].join('\n');
}

function able(what: StrategySetting | 'decisionOnly'): string {
  return namesOf((strategy) =>
    what === 'decisionOnly' ? strategy.decisionOnly === true : (strategy.settings?.includes(what) ?? false),
  );
}

function namesOf(isMeant: (strategy: StrategyDefinition) => boolean): string {
  const names = all.filter(isMeant).map(({ name }) => name);
  return names.length === 0 ? 'no strategy yet' : names.join(', ');
}
